import type { EdgeIndex } from './edge-index';
import type { EdgeTable, Run } from './edge-table';
import { APART, CROSS, Meeting, OVERLAP } from './meet';
import type { MeetingFaults } from './meeting-faults';
import type { Steps } from './steps';
import type { Turn } from './turn';
import { CHUNK_WORK, EXACT_TEST_WORK, type Work } from './work';

/**
 * Compares every edge with every other one that its box meets. Neighbours in a ring are left out: they share a vertex,
 * and where they lie on each other that is a spike. Answers how many edges were compared with all that come after them.
 */
export function* findCrossings(
  table: EdgeTable,
  index: EdgeIndex,
  turn: Turn,
  meetings: MeetingFaults,
  work: Work,
): Steps<number> {
  const { xs, ys } = table;
  const { boxes } = index;
  const meeting = new Meeting(table, turn);

  const compare = (s: number, s_run: Run, t: number, t_run: Run) => {
    if (s_run === t_run) {
      if (t - s === 1) return;
      if (s_run.ends_meet && s === s_run.start && t === s_run.end - 2) return;
    }
    work.spend(EXACT_TEST_WORK);
    if (s_run.has_gap && (table.isGap(s) || table.isGap(s + 1))) return;
    if (t_run.has_gap && (table.isGap(t) || table.isGap(t + 1))) return;
    const kind = meeting.of(s, t);
    if (kind === APART) return;
    if (kind === CROSS) meetings.cross(s, s_run, t, t_run, meeting);
    else if (kind === OVERLAP) meetings.overlap(s, s_run, t, t_run, meeting);
    else if (owns(table, s_run, s, meeting) && owns(table, t_run, t, meeting))
      meetings.touch(s, s_run, t, t_run, meeting);
  };

  const compareChunks = (chunk: number, other: number) => {
    const run = index.runs[chunk] as Run;
    const other_run = index.runs[other] as Run;
    work.spend(CHUNK_WORK);
    if (run === other_run && run.is_flat) return;
    const [o0, o1, o2, o3] = [boxes[other * 4], boxes[other * 4 + 1], boxes[other * 4 + 2], boxes[other * 4 + 3]] as [
      number,
      number,
      number,
      number,
    ];
    const end = index.end[chunk] as number;
    const other_first = index.first[other] as number;
    const other_end = index.end[other] as number;
    for (let s = index.first[chunk] as number; s < end; s++) {
      const ax = xs[s] as number;
      const bx = xs[s + 1] as number;
      const min_x = Math.min(ax, bx);
      const max_x = Math.max(ax, bx);
      if (max_x < o0 || min_x > o2) continue;
      const ay = ys[s] as number;
      const by = ys[s + 1] as number;
      const min_y = Math.min(ay, by);
      const max_y = Math.max(ay, by);
      if (max_y < o1 || min_y > o3) continue;
      for (let t = chunk === other ? s + 1 : other_first; t < other_end; t++) {
        const cx = xs[t] as number;
        const dx = xs[t + 1] as number;
        if ((cx < min_x && dx < min_x) || (cx > max_x && dx > max_x)) continue;
        const cy = ys[t] as number;
        const dy = ys[t + 1] as number;
        if ((cy < min_y && dy < min_y) || (cy > max_y && dy > max_y)) continue;
        compare(s, run, t, other_run);
      }
      work.spend(other_end - other_first);
    }
  };

  for (let chunk = 0; chunk < index.chunk_count; chunk++) {
    const at = chunk * 4;
    if ((boxes[at] as number) > (boxes[at + 2] as number)) continue;
    index.search(
      boxes[at] as number,
      boxes[at + 1] as number,
      boxes[at + 2] as number,
      boxes[at + 3] as number,
      (other) => {
        work.spend(2);
        if (other >= chunk && !work.is_spent) compareChunks(chunk, other);
      },
    );
    if (work.is_spent) return index.first[chunk] as number;
    if (work.isStepDone()) yield;
  }
  return table.node_count;
}

/** A vertex belongs to the edge that begins there, so that a pass through it is met once; an open end to its last edge. */
function owns(table: EdgeTable, run: Run, edge: number, at: Meeting): boolean {
  const end = edge + 1;
  if (at.x !== table.xs[end] || at.y !== table.ys[end]) return true;
  if (end === run.end - 1) return !run.ends_meet;
  return table.isGap(end + 1);
}
