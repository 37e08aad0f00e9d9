import { EXPORT_COLUMNS } from '@/lib/contract/export';
import { csvField } from '@/lib/dead-letter/csv-field';
import type { Exported } from './export-rows';

/** RFC 4180. Text that a spreadsheet would run gets a quote before it. */
export async function* exportCsv(pages: AsyncIterable<Exported[]>): AsyncGenerator<string> {
  yield `${EXPORT_COLUMNS.join(',')}\r\n`;
  for await (const page of pages)
    yield page
      .map(
        ({ row }) =>
          `${EXPORT_COLUMNS.map((column) => {
            const value = row[column];
            return csvField(Array.isArray(value) ? value.join(' ') : value);
          }).join(',')}\r\n`,
      )
      .join('');
}
