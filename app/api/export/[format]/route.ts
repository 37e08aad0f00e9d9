import { exportResponse, readExportFormat } from '@/lib/http/export-response';
import { readStreamFilter } from '@/lib/http/read-stream-filter';
import { route } from '@/lib/http/route';
import { exportEntries } from '@/lib/triage/export/export-entries';

export const GET = route({ role: 'viewer', search: readStreamFilter }, async ({ ctx, params, search: filter }) => {
  const format = readExportFormat(params.format ?? '');
  return exportResponse(format, exportEntries(ctx, format, filter), new Date());
});
