import { MAX_TILE_ZOOM, tileKey } from '../dead-letter/tile-key';

/** Of tiles and counts that are none, so many are told by name. */
const NAMED = 5;
/** The same tile in two ways would be counted twice. */
const PADDED = /(^|\/)0\d/;

/** What a run has done so far. */
export class RunTally {
  /** By work_key, so that a unit captured twice counts once. */
  readonly dead_lettered = new Set<string>();
  readonly #tiles = new Set<string>();
  readonly #left_out: string[] = [];
  #left_out_count = 0;
  #count = 0;
  /** Of the manifest, each once. */
  readonly expected_tiles: ReadonlySet<string> | undefined;

  constructor(
    readonly run_id: string,
    tiles: Iterable<string> | undefined,
  ) {
    if (!tiles) return;
    const expected = new Set<string>();
    for (const tile of tiles) this.#note(tile, 'tiles', expected);
    this.expected_tiles = expected;
  }

  succeeded(done: number | string): void {
    if (typeof done === 'string') this.#note(done, 'succeeded', this.#tiles);
    else if (Number.isSafeInteger(done)) this.#count += done;
    else this.#leaveOut('succeeded', done);
  }

  get succeeded_count(): number {
    return Math.max(0, this.#count) + this.#tiles.size;
  }

  /** By name where every success has one, so that the ledger can tell which tiles are missing. */
  get succeeded_units(): number | string[] {
    return this.#count === 0 && this.#tiles.size > 0 ? [...this.#tiles] : this.succeeded_count;
  }

  /** What the server would have refused, and the whole report with it; undefined where nothing was. */
  get left_out(): string | undefined {
    if (this.#left_out_count === 0) return undefined;
    const more = this.#left_out_count - this.#left_out.length;
    const names = `${this.#left_out.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return `${names}: a tile is z/x/y with z up to ${MAX_TILE_ZOOM} and x and y below 2^z, a count a whole number`;
  }

  #note(tile: unknown, member: string, tiles: Set<string>): void {
    if (typeof tile !== 'string' || tileKey(tile) === null) this.#leaveOut(member, tile);
    else tiles.add(PADDED.test(tile) ? tile.split('/').map(Number).join('/') : tile);
  }

  #leaveOut(member: string, what: unknown): void {
    this.#left_out_count += 1;
    if (this.#left_out.length < NAMED) this.#left_out.push(`${member} “${nameOf(what)}”`);
  }
}

function nameOf(what: unknown): string {
  try {
    return String(what).slice(0, 40);
  } catch {
    return typeof what;
  }
}
