import type { Exported } from './export-rows';

/** One JSON object a line. What is no finite number is null: JSON has no other word for it. */
export async function* exportNdjson(pages: AsyncIterable<Exported[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map(({ row }) => `${JSON.stringify(row)}\n`).join('');
}
