import { expect } from 'vitest';
import { PART_COLUMNS } from '@/lib/wkb/parts-table';
import { readWkb } from '@/lib/wkb/read-wkb';
import type { WkbReading } from '@/lib/wkb/reading';
import { sequencesOf } from '@/lib/wkb/sequences';

/** What holds for every reading, whatever the bytes were. One expectation: it is asked of a hundred thousand inputs. */
export function expectConsistent(bytes: Uint8Array): WkbReading {
  const reading = readWkb(bytes);
  const problem = inconsistency(reading, bytes);
  if (problem) expect.fail(`${problem} in ${Buffer.from(bytes.subarray(0, 400)).toString('hex')}`);
  return reading;
}

function inconsistency(reading: WkbReading, bytes: Uint8Array): string | null {
  const { coords, parts, part_count, vertex_count, error } = reading;
  if (parts.length !== part_count * PART_COLUMNS) return `a table of ${parts.length} for ${part_count} parts`;
  if (coords.byteLength + parts.byteLength > 2 * bytes.length + 65_536) return 'tables beyond twice the input';
  if (coords.byteLength > bytes.length) return 'more numbers than bytes';
  let coord = 0;
  let vertex = 0;
  for (const sequence of sequencesOf(reading)) {
    if (sequence.coord_start !== coord) return `a gap before number ${sequence.coord_start}`;
    if (sequence.first_vertex !== vertex) return `a gap before vertex ${sequence.first_vertex}`;
    coord += sequence.vertex_count * sequence.stride;
    vertex += sequence.vertex_count;
  }
  if (coord !== coords.length) return `${coords.length} numbers for the ${coord} of its sequences`;
  if (vertex !== vertex_count) return `${vertex_count} vertices for the ${vertex} of its sequences`;
  if (!error) return part_count > 0 ? null : 'neither an error nor a part';
  const named = Number.isInteger(error.offset) && error.offset >= 0 && error.offset <= bytes.length;
  return named ? null : `an error at byte ${error.offset} of ${bytes.length}`;
}
