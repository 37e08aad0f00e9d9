import type { CaptureBatch } from './batch';
import type { Classify } from './classify';
import type { Kept } from './deliver';
import type { GeometryInput } from './geometry';
import type { Redact } from './redact';
import type { Spool } from './spool';
import type { Warn } from './warn';

/**
 * What a task consumed, by the names of the contract. `geometry` is the payload's geometry as the task had it: WKB
 * bytes, WKT text or a GeoJSON object; it is sent as it is, never parsed. The HTTP interface's names of it (`geom_wkb`,
 * `geom_wkt`, `geom_geojson`) are understood where there is no `geometry`. `params` may be any value.
 */
export interface CapturePayload {
  work_key: string;
  task_name?: string;
  task_id?: string | null;
  geometry?: GeometryInput | null;
  geom_wkb?: GeometryInput | null;
  geom_wkt?: string | null;
  geom_geojson?: GeometryInput | null;
  geom_hash?: string | null;
  srid?: number | null;
  src_crs?: string | number | Record<string, unknown> | null;
  tile_z?: number | null;
  tile_x?: number | null;
  tile_y?: number | null;
  tile_matrix_set?: string | null;
  source_uris?: readonly string[] | null;
  source_window?: { col_off: number; row_off: number; width: number; height: number } | null;
  nodata?: string | number | null;
  target_crs?: string | null;
  params?: unknown;
  payload_ref?: string | null;
  failure_class?: string | null;
  error_class?: 'transient' | 'fatal' | null;
  queue?: string;
  code_version?: string | null;
  run_id?: string | null;
  failed_at?: string | null;
  /** The redrive that called the task, when one did: the capture is then the failure of that redrive. */
  attempt_id?: string | null;
  sensitive?: boolean | null;
}

export interface CaptureOptions {
  /** Base URL of the server, e.g. `http://127.0.0.1:3000`. */
  url: string;
  /** The function's own name when missing. */
  task_name?: string;
  /** Else DLO_CODE_VERSION or what the usual builds set (GIT_COMMIT, GITHUB_SHA …), else the git revision around the working directory. */
  code_version?: string;
  queue?: string;
  run_id?: string;
  token?: string;
  /** How long a capture may take altogether, retries and spool included. With a batch, the batch's own holds. Default 2000. */
  timeout_ms?: number;
  /**
   * Where a capture is kept that the server does not take: a directory (better not on the database's disk), or
   * `s3://bucket/prefix`, or a spool of your own. Default: the environment's DLO_SPOOL_DIR, of
   * several with commas the first (an option's commas are its path's). `false`: nowhere.
   */
  spool?: string | Spool | false;
  /** True: a cancellation is captured like any failure. Default false: a cancelled task did not fail; a deadline did. */
  capture_aborts?: boolean;
  /** Called with the capture as one line of NDJSON when neither the server nor the spool took it. Default: one line to stderr. */
  on_capture_error?: (line: string, reason: string) => void;
  /** Your own classifier, or rules; where it returns undefined, or none of them holds, the built-in rules decide. */
  classify?: Classify;
  /** Takes secrets out of the payload and the error's words before anything is written. Where it fails, nothing of them is. */
  redact?: Redact;
  /** Told, once each, what is wrong with the setup (a capture inside a retry …). Default: a line to stderr. */
  warn?: Warn;
  /** The clock, for runs whose time is not the wall's. */
  now?: () => Date;
  /** The id of this capture (a UUID), where a run is repeated from its start and must count once; drawn anew when left out. */
  capture_id?: () => string;
  /** Collects captures and sends them as NDJSON. Make it once with `captureBatch` and share it between tasks. */
  batch?: CaptureBatch;
}

/**
 * What became of one capture. `line` is what was, or would have been, sent; it names its `capture_id`. In the spool it
 * waits for the loader, `file` being its file's name once that is sealed; `reason` says why the server did not take it.
 */
export type CaptureResult = { line: string } & Kept;
