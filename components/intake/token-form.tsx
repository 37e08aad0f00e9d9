'use client';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { type TokenForm as Form, LIFETIMES, type TokenField } from './token.model';

/** What a token may be used for. */
export function TokenForm({
  id,
  form,
  problems,
  onChange,
  onSubmit,
}: {
  id: string;
  form: Form;
  problems: Partial<Record<TokenField, string>>;
  onChange: (change: Partial<Form>) => void;
  onSubmit: () => void;
}) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const text = (field: TokenField, problem: string | undefined, input_id: string) => ({
    id: input_id,
    value: form[field],
    autoComplete: 'off',
    ...(problem ? { 'aria-invalid': true, 'aria-describedby': `${input_id}-problem` } : {}),
    onChange: (event: { target: { value: string } }) => onChange({ [field]: event.target.value }),
  });
  return (
    <form
      id={id}
      className="in-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Field label="Name" problem={problems.name} hint="Who sends, e.g. night-batch">
        {(input_id) => <input ref={first} className="input" required {...text('name', problems.name, input_id)} />}
      </Field>
      <Field label="Queue" problem={problems.queue} hint="Left empty: any. Else captures need not name it">
        {(input_id) => <input className="input mono" {...text('queue', problems.queue, input_id)} />}
      </Field>
      <Field label="Tasks" problem={problems.tasks} hint="Left empty: any. Else their names, with commas">
        {(input_id) => <input className="input mono" {...text('tasks', problems.tasks, input_id)} />}
      </Field>
      <Field label="Ends after" problem={problems.lifetime}>
        {(input_id) => (
          <select
            id={input_id}
            className="input in-short"
            value={form.lifetime}
            onChange={(event) => onChange({ lifetime: event.target.value })}
          >
            {LIFETIMES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="At most" problem={problems.rate} hint="captures per s; left empty: as many as the server takes">
        {(input_id) => (
          <input className="input num in-short" inputMode="decimal" {...text('rate', problems.rate, input_id)} />
        )}
      </Field>
    </form>
  );
}

function Field({
  label,
  hint,
  problem,
  children,
}: {
  label: string;
  hint?: string;
  problem: string | undefined;
  children: (input_id: string) => ReactNode;
}) {
  const input_id = useId();
  return (
    <div className="in-fld">
      <label htmlFor={input_id}>{label}</label>
      <div>
        {children(input_id)}
        {hint && <span className="cap">{hint}</span>}
        {problem && (
          <span className="bad-t in-bad" id={`${input_id}-problem`} role="alert">
            {problem}
          </span>
        )}
      </div>
    </div>
  );
}
