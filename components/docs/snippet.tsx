'use client';
import { CopyButton } from '@/components/evidence/copy-button';
import { useOrigin } from '@/components/ui/use-origin';
import { withOrigin } from './snippets';

/** An example to copy. Its addresses are this page's own. */
export function Snippet({ text, what, origin }: { text: string; what: string; origin: string }) {
  const shown = withOrigin(text, useOrigin(origin));
  return (
    <figure className="doc-code">
      <figcaption>
        <span className="cap">{what}</span>
        <CopyButton text={shown} what={what} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre className="mono" tabIndex={0}>
        {shown}
      </pre>
    </figure>
  );
}
