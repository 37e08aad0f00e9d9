'use client';
import { Icon } from '@/components/ui/icon';
import { type Section, sectionPath } from './section.model';

export interface SummaryTile {
  section: Section;
  label: string;
  /** Null while it is not known. */
  figure: string | null;
  caption: string;
  tone: 'plain' | 'ok' | 'warn' | 'bad';
}

/** The four sections, each with the one figure that matters: the way into it. */
export function IntakeSummary({
  tiles,
  section,
  onGo,
}: {
  tiles: readonly SummaryTile[];
  section: Section;
  onGo: (section: Section) => void;
}) {
  return (
    <nav className="card in-tiles" aria-label="Sections of the intake">
      {tiles.map((tile) => (
        <a
          key={tile.section}
          href={sectionPath(tile.section)}
          {...(tile.section === section ? { 'aria-current': 'page' as const } : {})}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
            event.preventDefault();
            onGo(tile.section);
          }}
        >
          <span className="in-tile-l">{tile.label}</span>
          <span className="in-tile-n">{tile.figure ?? <span className="faint">…</span>}</span>
          <span className={`in-tile-c ${tile.tone === 'plain' ? 'dim' : `${tile.tone}-t`}`}>
            {(tile.tone === 'bad' || tile.tone === 'warn') && (
              <Icon name={tile.tone === 'bad' ? 'circle-alert' : 'triangle-alert'} small />
            )}
            <span>{tile.caption}</span>
          </span>
        </a>
      ))}
    </nav>
  );
}
