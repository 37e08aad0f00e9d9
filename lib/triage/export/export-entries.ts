import type { ExportFormat } from '@/lib/contract/export';
import type { Filter } from '@/lib/contract/filter';
import type { TriageContext } from '../triage-context';
import { exportCsv } from './export-csv';
import { exportFgb } from './export-fgb';
import { exportGeoJson } from './export-geojson';
import { exportNdjson } from './export-ndjson';
import { exportParquet } from './export-parquet';
import { type Exported, exportRows } from './export-rows';

export type ExportPieces = AsyncGenerator<string | Uint8Array>;

const WRITERS: Record<ExportFormat, (ctx: TriageContext, pages: AsyncIterable<Exported[]>) => ExportPieces> = {
  csv: (_ctx, pages) => exportCsv(pages),
  ndjson: exportNdjson,
  geojson: exportGeoJson,
  fgb: exportFgb,
  parquet: exportParquet,
};

/** The entries that match in a format, piece by piece: a piece is made when it is asked for. `on_read` hears of each page. */
export function exportEntries(
  ctx: TriageContext,
  format: ExportFormat,
  filter: Filter,
  on_read: (entries: number) => void = () => {},
): ExportPieces {
  return WRITERS[format](ctx, heard(exportRows(ctx, filter), on_read));
}

async function* heard(pages: AsyncIterable<Exported[]>, on_read: (entries: number) => void) {
  for await (const page of pages) {
    on_read(page.length);
    yield page;
  }
}
