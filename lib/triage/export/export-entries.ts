import type { ExportFormat } from '@/lib/contract/export';
import type { Filter } from '@/lib/contract/filter';
import type { TriageContext } from '../triage-context';
import { exportCsv } from './export-csv';
import { exportGeoJson } from './export-geojson';
import { exportNdjson } from './export-ndjson';
import { exportRows } from './export-rows';

/** The entries that match as text of a format, piece by piece: a piece is made when it is asked for. */
export function exportEntries(ctx: TriageContext, format: ExportFormat, filter: Filter): AsyncGenerator<string> {
  const pages = exportRows(ctx, filter);
  if (format === 'csv') return exportCsv(pages);
  return format === 'ndjson' ? exportNdjson(pages) : exportGeoJson(ctx, pages);
}
