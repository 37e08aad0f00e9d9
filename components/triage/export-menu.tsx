'use client';
import { Icon } from '@/components/ui/icon';
import { countedText } from '@/components/ui/number-text';
import { Popover, PopoverClose } from '@/components/ui/popover';
import { exportPath } from '@/lib/api/export';
import { EXPORT_FORMATS, type ExportFormat } from '@/lib/contract/export';
import type { Shown } from './use-triage-answer';

const WORDS: Record<ExportFormat, { name: string; use: string }> = {
  csv: { name: 'CSV', use: 'a row an entry' },
  ndjson: { name: 'NDJSON', use: 'to capture again, exact' },
  geojson: { name: 'GeoJSON', use: 'footprints, for QGIS' },
  fgb: { name: 'FlatGeobuf', use: 'footprints, smaller' },
  parquet: { name: 'GeoParquet', use: 'footprints, for DuckDB and others' },
};

/** What matches, as a file. The browser takes it as it comes: nothing of it is held in the page. */
export function ExportMenu({ shown: { answer, filter } }: { shown: Shown }) {
  return (
    <Popover
      label="Export"
      align="end"
      trigger={
        <button type="button" className="btn btn-quiet btn-s" title="What matches, as a file">
          <Icon name="download" />
          <span className="export-word">Export</span>
        </button>
      }
    >
      <p className="cap export-head">{countedText(answer.total, 'entry', 'entries')} as</p>
      {EXPORT_FORMATS.map((format) => (
        <PopoverClose key={format} asChild>
          <a className="menu-item" href={exportPath(format, filter)} download>
            <b>{WORDS[format].name}</b>
            <span className="faint">{WORDS[format].use}</span>
          </a>
        </PopoverClose>
      ))}
    </Popover>
  );
}
