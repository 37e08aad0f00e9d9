import type { FoldLimits, IndexFold, IndexMemory, PageOrder, TileAddress } from '@/lib/index/answers';
import type { StateCount } from '@/lib/index/depth';
import type { IndexQuery } from '@/lib/index/query';

/** What the index is asked; “now” is the moment that the answer shows. */
export type Query = Omit<IndexQuery, 'now_us'>;

/** What the index's thread is asked, and what it answers. */
export interface Verbs {
  /** Everything that the triage page counts. */
  triage: { ask: { query: Query; limits: FoldLimits }; answer: { fold: IndexFold } };
  page: { ask: { query: Query; page: PageOrder }; answer: { ids: Uint32Array } };
  /** Ids of at most `most` entries that match. */
  ids: { ask: { query: Query; most: number }; answer: { ids: Uint32Array } };
  /** The layer of a tile as MVT; null where `unless` names the revision. */
  tile: { ask: TileAsk; answer: { mvt: Uint8Array | null } };
  /** How many entries of each class are in each state. */
  depth: { ask: object; answer: { by: StateCount[] } };
  /** Nothing but the revision and the moment. */
  revision: { ask: object; answer: object };
}
export type Verb = keyof Verbs;

export interface TileAsk {
  query: Query;
  address: TileAddress;
  layer: 'cells' | 'points';
  unless: readonly string[];
}

/** An answer and the moment of the database that it shows. */
export type Answered<V extends Verb> = Verbs[V]['answer'] & {
  /** Another one whenever the index holds something else; never the same in two threads. */
  revision: string;
  as_of: string;
};

export type ToThread =
  | { kind: 'ask'; id: number; verb: Verb; ask: Verbs[Verb]['ask'] }
  /** Nobody waits for this answer any more. */
  | { kind: 'cancel'; id: number }
  | { kind: 'look' };

export type FromThread =
  | { kind: 'answer'; id: number; answer: Answered<Verb> }
  /** `error` is null where the index is being loaded. */
  | { kind: 'failed'; id: number; error: Record<string, unknown> | null }
  | { kind: 'status'; status: ThreadStatus }
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; fields: Record<string, unknown>; message: string }
  /** The index gives up for good: SQL answers. */
  | { kind: 'off'; reason: string };

/** How the index is. */
export interface ThreadStatus {
  /** Whether questions are answered. */
  ready: boolean;
  /** Whether the database cannot be read just now; answers show an earlier moment then. */
  away: boolean;
  revision: string;
  as_of: string | null;
  /** Seconds since the last complete reading of the feed began. */
  behind_s: number;
  /** Entries taken in at the start, and changes since. */
  loaded: number;
  followed: number;
  /** Seconds that the last loading took; null before the first. */
  load_s: number | null;
  /** Loadings after the first. */
  rebuilds: number;
  memory: IndexMemory | null;
  /** Bytes of the thread's own JavaScript heap. */
  heap_bytes: number;
}
