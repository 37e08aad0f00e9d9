'use client';
import { useEffect, useRef, useState } from 'react';
import { readySchema } from '@/lib/contract/health';
import { Icon } from './icon';

const EVERY_MS = 4_000;

type Finding =
  | { kind: 'asking' }
  | { kind: 'no_server' }
  | { kind: 'not_ready'; reasons: string[] }
  | { kind: 'ready' };

async function ask(signal: AbortSignal): Promise<Finding> {
  try {
    const answer = readySchema.safeParse(await (await fetch('/readyz', { signal, cache: 'no-store' })).json());
    if (!answer.success) return { kind: 'ready' };
    return answer.data.ready ? { kind: 'ready' } : { kind: 'not_ready', reasons: answer.data.reasons };
  } catch {
    return { kind: 'no_server' };
  }
}

/**
 * Says what is wrong and what still works. While the database or the server is away it asks every four seconds and goes
 * on by itself once they are back; a page that fails although all is well waits for a person.
 */
export function ServerProblem({ digest, onRecovered }: { digest: string | null; onRecovered: () => void }) {
  const [finding, setFinding] = useState<Finding>({ kind: 'asking' });
  const recovered = useRef(onRecovered);
  useEffect(() => {
    recovered.current = onRecovered;
  });
  useEffect(() => {
    const stop = new AbortController();
    let wasAway = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const found = await ask(stop.signal);
      if (stop.signal.aborted) return;
      setFinding(found);
      if (found.kind === 'ready') {
        if (wasAway) recovered.current();
        return;
      }
      wasAway = true;
      timer = setTimeout(look, EVERY_MS);
    };
    void look();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, []);
  return (
    <div role="alert">
      <h1>
        <Icon name="circle-alert" className="bad-t" /> {TITLES[finding.kind]}
      </h1>
      {finding.kind === 'not_ready' && finding.reasons.map((reason) => <p key={reason}>{reason}</p>)}
      <p className="dim">{finding.kind === 'ready' || finding.kind === 'asking' ? FAILED : AWAY}</p>
      {digest && <p className="cap">In the server’s log as {digest}.</p>}
      <p className="row">
        <button type="button" className="btn" onClick={onRecovered}>
          Try now
        </button>
      </p>
    </div>
  );
}

const TITLES: Record<Finding['kind'], string> = {
  asking: 'This page could not be made.',
  ready: 'This page could not be made.',
  not_ready: 'The database does not answer.',
  no_server: 'The server does not answer.',
};
const FAILED = 'Nothing was changed. The other pages work; the cause stands in the server’s log.';
const AWAY =
  'What is stored is safe; until the database is back, captures are answered with 503, for the pipeline to try again. This page goes on by itself.';
