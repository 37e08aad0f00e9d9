import { csvField } from '@/lib/dead-letter/csv-field';
import { listItems } from './list-items';
import type { OperationContext } from './operation-context';

const COLUMNS = ['entry_id', 'work_key', 'task_name', 'outcome', 'detail', 'attempt_id', 'took_ms', 'done_at'] as const;
const PAGE = 500;

/** What became of each member as CSV (RFC 4180), page by page. Text that a spreadsheet would run gets a quote before it. */
export async function csvOfItems(
  ctx: OperationContext,
  id: string,
  outcome: string | null,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let page = await listItems(ctx, { id, outcome, cursor: null, limit: PAGE });
  let is_first = true;
  return new ReadableStream({
    async pull(controller) {
      const head = is_first ? `${COLUMNS.join(',')}\r\n` : '';
      is_first = false;
      const lines = page.items.map((item) => `${COLUMNS.map((column) => csvField(item[column])).join(',')}\r\n`);
      controller.enqueue(encoder.encode(head + lines.join('')));
      if (page.next_cursor === null) controller.close();
      else page = await listItems(ctx, { id, outcome, cursor: page.next_cursor, limit: PAGE });
    },
  });
}
