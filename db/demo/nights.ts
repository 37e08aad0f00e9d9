import { randomOf } from './random';
import { ANTIMERIDIAN_STREAMS } from './streams/antimeridian';
import { BLOCK_STREAMS } from './streams/blocks';
import { PARCEL_STREAMS } from './streams/parcels';
import { PLACE_STREAMS } from './streams/places';
import { SERVICE_STREAMS } from './streams/services';
import type { Stream, Unit } from './streams/stream';
import { versionOn } from './versions';
import type { Work } from './work';

export const STREAMS: readonly Stream[] = [
  ...PARCEL_STREAMS,
  ...PLACE_STREAMS,
  ...BLOCK_STREAMS,
  ...ANTIMERIDIAN_STREAMS,
  ...SERVICE_STREAMS,
];

/** A unit's work on one night. */
export interface Job {
  stream: Stream;
  unit: Unit;
  work: Work;
  version: string;
}

/** A job that failed, as the next night's schedule sees it. */
export type Failed = Pick<Job, 'stream' | 'unit'>;

/** A unit is given up by the scheduler after this many nights, and left to the dead-letter queue. */
const MAX_NIGHTS = 6;

/** The schedule of consecutive nights by seed: what is new, and what failed before and is tried again. */
export class Schedule {
  readonly #nightsTried = new Map<string, number>();
  #again: Failed[] = [];

  constructor(
    readonly seed: number,
    readonly streams: readonly Stream[] = STREAMS,
  ) {}

  /** The jobs of a night, in a fixed order. A key that is scheduled twice is done once. */
  jobs(night: number): Job[] {
    const version = versionOn(night);
    const fresh = this.streams.flatMap((stream) =>
      stream.units(night, randomOf(this.seed, stream.name, night), version).map((unit): Failed => ({ stream, unit })),
    );
    const jobs = new Map<string, Job>();
    for (const { stream, unit } of [...this.#again, ...fresh]) {
      if (jobs.has(unit.work_key)) continue;
      jobs.set(unit.work_key, { stream, unit, work: unit.extract(version), version });
    }
    this.#again = [];
    return [...jobs.values()];
  }

  /** Tells the schedule what failed, in the order of `jobs`, so that the next night can try some of it again. */
  failed(night: number, failures: readonly Failed[]): void {
    for (const { stream, unit } of failures) {
      const tried = (this.#nightsTried.get(unit.work_key) ?? 0) + 1;
      this.#nightsTried.set(unit.work_key, tried);
      if (tried < MAX_NIGHTS && randomOf(this.seed, 'again', night, unit.work_key).chance(stream.again)) {
        this.#again.push({ stream, unit });
      }
    }
  }
}
