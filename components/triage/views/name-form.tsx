'use client';
import { useId, useState } from 'react';
import { viewNameSchema } from '@/lib/contract/view';

/** One field for a name and the button that takes it; what is wrong with a name is said when it is sent. */
export function NameForm({
  label,
  button,
  start = '',
  busy,
  onName,
}: {
  label: string;
  button: string;
  start?: string;
  busy: boolean;
  onName: (name: string) => void;
}) {
  const id = useId();
  const [name, setName] = useState(start);
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <form
      className="views-form"
      onSubmit={(event) => {
        event.preventDefault();
        const read = viewNameSchema.safeParse(name);
        if (read.success) onName(read.data);
        else setProblem(name.trim() === '' ? 'A view needs a name.' : `The name ${read.error.issues[0]?.message}.`);
      }}
    >
      <label className="cap" htmlFor={id}>
        {label}
      </label>
      <div>
        <input
          id={id}
          className="input"
          autoComplete="off"
          value={name}
          aria-invalid={problem !== null}
          aria-describedby={problem ? `${id}-problem` : undefined}
          onChange={(event) => {
            setName(event.target.value);
            setProblem(null);
          }}
        />
        <button type="submit" className="btn btn-s" disabled={busy}>
          {button}
        </button>
      </div>
      {problem && (
        <p className="bad-t" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
