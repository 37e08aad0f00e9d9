'use client';
import { useMemo, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { countedText } from '@/components/ui/number-text';
import { CopyButton } from './copy-button';
import { foldLibraries, readTraceback } from './traceback.model';

/** The traceback as text: the project's frames stand out, those of libraries are dim and can be folded. */
export function TracebackTab({ text }: { text: string | null }) {
  const [folded, setFolded] = useState(true);
  const blocks = useMemo(() => (text === null ? [] : readTraceback(text)), [text]);
  const shown = useMemo(() => foldLibraries(blocks), [blocks]);
  if (text === null || text === '') return <p className="dim">No traceback was captured.</p>;
  const frames = blocks.filter(({ kind }) => kind === 'frame').length;
  const library = blocks.filter((block) => block.kind === 'frame' && block.library).length;
  const causes = blocks.filter(({ kind }) => kind === 'cause').length;
  return (
    <>
      <div className="sub first">
        <span className="cap">
          {countedText(frames, 'frame', 'frames')}, {library} of libraries
          {causes > 0 && `, ${countedText(causes, 'cause', 'causes')}`}
        </span>
        <span className="right">
          {library > 0 && (
            <button type="button" className="btn btn-s" aria-pressed={folded} onClick={() => setFolded(!folded)}>
              {folded ? 'Unfold libraries' : 'Fold libraries'}
            </button>
          )}
          <CopyButton text={text} what="Traceback" words />
        </span>
      </div>
      <section
        className="code trace"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll sideways
        tabIndex={0}
        aria-label="Traceback"
      >
        {shown.map((block, i) => {
          const key = `${i} ${block.lines[0]}`;
          if (block.kind !== 'folded')
            return (
              <pre key={key} className={`t-${block.kind}`}>
                {block.lines.join('\n')}
              </pre>
            );
          return folded ? (
            <button key={key} type="button" className="t-fold" onClick={() => setFolded(false)}>
              <Icon name="chevron-right" small />
              {countedText(block.frames, 'library frame', 'library frames')}
            </button>
          ) : (
            <pre key={key} className="t-library">
              {block.lines.join('\n')}
            </pre>
          );
        })}
      </section>
    </>
  );
}
