import { DlqError } from '@/lib/contract/error';
import { EXPORT_FORMATS, type ExportFormat } from '@/lib/contract/export';
import type { ExportPieces } from '@/lib/triage/export/export-entries';

const TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  geojson: 'application/geo+json',
  fgb: 'application/flatgeobuf',
  parquet: 'application/vnd.apache.parquet',
};

/** @throws DlqError bad_request naming the formats that there are. */
export function readExportFormat(text: string): ExportFormat {
  const format = EXPORT_FORMATS.find((one) => one === text);
  if (!format)
    throw new DlqError(
      'bad_request',
      `there is no export as “${text.slice(0, 40)}”: the formats are ${EXPORT_FORMATS.join(', ')}`,
      { parameter: 'format' },
    );
  return format;
}

/** A file of the day. The first piece is made before the answer begins, so that what cannot be read at all is an error with its status. */
export async function exportResponse(format: ExportFormat, pieces: ExportPieces, now: Date): Promise<Response> {
  const first = await pieces.next();
  return new Response(streamOf(first, pieces), {
    headers: {
      'content-type': TYPES[format],
      'content-disposition': `attachment; filename="dead-letters-${now.toISOString().slice(0, 10)}.${format}"`,
    },
  });
}

/** Pulled by the reader; one that goes away ends the reading. A failure breaks the answer off, unended. */
function streamOf(first: IteratorResult<string | Uint8Array>, pieces: ExportPieces): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: IteratorResult<string | Uint8Array> | null = first;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = next ?? (await pieces.next());
      next = null;
      if (done) controller.close();
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
