import type { EdgeTable, Run } from './edge-table';
import type { FaultList } from './fault-list';
import type { FoundFault } from './fault-report';
import type { Meeting } from './meet';
import type { PartNames } from './part-names';
import { areSameRing } from './same-ring';
import type { TouchGraph } from './touch-graph';
import type { Turn } from './turn';
import { crossAt, type Place, shareStretch } from './wedge';
import { PLACE_WORK, type Work } from './work';

/** Says what it means that two edges of an area meet. The edge `s` is the first of the two in the order of the bytes. */
export class MeetingFaults {
  /** Places at which a fault is known already: where three edges meet, three pairs of them do. */
  private readonly places = new Set<string>();
  private readonly compared = new Map<number, boolean>();

  constructor(
    private readonly table: EdgeTable,
    private readonly turn: Turn,
    private readonly names: PartNames,
    private readonly found: FaultList,
    private readonly touches: TouchGraph,
    private readonly work: Work,
    private readonly severity: 'fails' | 'note',
  ) {}

  cross(s: number, s_run: Run, t: number, t_run: Run, at: Meeting): void {
    mark(s_run, t_run);
    const place: [number, number] = [at.x, at.y];
    this.found.add(codeOf(s_run, t_run), () => ({
      ...this.lie(s, s_run, place),
      message: `${this.edges(s, s_run, t, t_run)} cross`,
    }));
  }

  overlap(s: number, s_run: Run, t: number, t_run: Run, at: Meeting): void {
    mark(s_run, t_run);
    const place: [number, number] = [at.x, at.y];
    const to: [number, number] = [at.to_x, at.to_y];
    if (s_run !== t_run && this.isDuplicate(s_run, t_run)) return;
    this.found.add(codeOf(s_run, t_run), () => ({
      ...this.lie(s, s_run, place),
      to,
      message: `${this.edges(s, s_run, t, t_run)} lie on each other`,
    }));
  }

  touch(s: number, s_run: Run, t: number, t_run: Run, at: Meeting): void {
    const place: [number, number] = [at.x, at.y];
    this.work.spend(PLACE_WORK);
    const s_way = this.wayThrough(s, s_run, place);
    const t_way = this.wayThrough(t, t_run, place);
    // The stretch is a fault of its own, told with both its ends.
    if (s_way && t_way && shareStretch(this.turn, place, s_way, t_way)) return;
    if (s_run === t_run) {
      s_run.is_tangled = true;
      if (this.isKnown(s_run, t_run, place)) return;
      this.found.add('ring_self_touch', () => ({
        ...this.lie(s, s_run, place),
        message: `${this.names.ring(s_run.row)} touches itself: ${this.on(s, place)} and ${this.on(t, place)}`,
      }));
      return;
    }
    if (!s_way || !t_way || !crossAt(this.turn, place, s_way, t_way)) {
      if (s_run.polygon === t_run.polygon) this.touches.add(s_run, t_run, s, place);
      return;
    }
    mark(s_run, t_run);
    if (this.isKnown(s_run, t_run, place)) return;
    this.found.add(codeOf(s_run, t_run), () => ({
      ...this.lie(s, s_run, place),
      message: `${this.names.ring(s_run.row)} and ${this.names.ring(t_run.row)} cross: ${this.on(s, place)} and ${this.on(t, place)}`,
    }));
  }

  private isKnown(s_run: Run, t_run: Run, [x, y]: Place): boolean {
    const key = `${s_run.row} ${t_run.row} ${x} ${y}`;
    if (this.places.has(key)) return true;
    this.places.add(key);
    return false;
  }

  /** Rings that are one and the same are one fault, not one for each edge. */
  private isDuplicate(s_run: Run, t_run: Run): boolean {
    const key = s_run.start * this.table.node_count + t_run.start;
    let is_same = this.compared.get(key);
    if (is_same !== undefined) return is_same;
    this.work.spend(PLACE_WORK + s_run.end - s_run.start);
    is_same = areSameRing(this.table, s_run, t_run);
    this.compared.set(key, is_same);
    // Of three rings that are one, two are copies; the pair of copies says nothing new.
    if (is_same && !t_run.is_copy) {
      t_run.is_copy = true;
      this.found.add('duplicate_rings', () => ({
        path: this.names.pathOf(t_run.row),
        at: this.table.at(t_run.start),
        message: `${this.names.ring(t_run.row)} is the same as ${this.names.ring(s_run.row)}`,
        severity: this.severity,
      }));
    }
    return is_same;
  }

  /** Where the run comes from and goes to, at a place on its edge; null at an open end. */
  private wayThrough(edge: number, run: Run, [x, y]: Place): [Place, Place] | null {
    if (x === this.table.xs[edge + 1] && y === this.table.ys[edge + 1]) return null;
    if (x !== this.table.xs[edge] || y !== this.table.ys[edge]) return [this.table.at(edge), this.table.at(edge + 1)];
    const before = this.table.before(run, edge);
    return before < 0 ? null : [this.table.at(before), this.table.at(edge + 1)];
  }

  private lie(edge: number, run: Run, at: [number, number]): Pick<FoundFault, 'path' | 'at' | 'severity'> {
    const vertex = this.table.vertices[edge] as number;
    return { path: [...this.names.pathOf(run.row), vertex], at, severity: this.severity };
  }

  private edges(s: number, s_run: Run, t: number, t_run: Run): string {
    const [first, second] = [this.table.vertices[s], this.table.vertices[t]];
    if (s_run === t_run) return `edges ${first} and ${second} of ${this.names.ring(s_run.row)}`;
    return `edge ${first} of ${this.names.ring(s_run.row)} and edge ${second} of ${this.names.ring(t_run.row)}`;
  }

  private on(edge: number, [x, y]: Place): string {
    if (x === this.table.xs[edge] && y === this.table.ys[edge]) return `vertex ${this.table.vertices[edge]}`;
    if (x === this.table.xs[edge + 1] && y === this.table.ys[edge + 1])
      return `vertex ${this.table.vertices[edge + 1]}`;
    return `edge ${this.table.vertices[edge]}`;
  }
}

function mark(s_run: Run, t_run: Run): void {
  if (s_run === t_run) {
    s_run.is_tangled = true;
    return;
  }
  s_run.is_crossed = true;
  t_run.is_crossed = true;
}

const codeOf = (s_run: Run, t_run: Run) =>
  s_run.polygon === t_run.polygon ? 'self_intersection' : 'overlapping_parts';
