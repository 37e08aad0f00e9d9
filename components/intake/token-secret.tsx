'use client';
import { useEffect, useRef } from 'react';
import { CopyButton } from '@/components/evidence/copy-button';
import type { CreatedToken } from '@/lib/contract/token';
import { curlExample } from './token.model';

/** The token's text and how it is used. */
export function TokenSecret({ made, origin, onCopied }: { made: CreatedToken; origin: string; onCopied: () => void }) {
  const example = curlExample(origin, made);
  const box = useRef<HTMLDivElement>(null);
  // the form that had the focus is gone
  useEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    <>
      <div className="in-secret" ref={box}>
        <code className="mono in-any" data-secret>
          {made.token}
        </code>
        <CopyButton text={made.token} what="Token" words onCopied={onCopied} />
      </div>
      <div className="in-text-h">
        <h3 className="cap">Try it, with the token in the shell’s DLO_TOKEN</h3>
        <CopyButton text={example} what="Example" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre className="in-text mono" tabIndex={0}>
        {example}
      </pre>
    </>
  );
}
