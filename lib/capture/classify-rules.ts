import type { FailureClass } from '../dead-letter/vocabulary';

/**
 * One line of the classifier. A rule holds when every pattern it gives matches: `type` the error's constructor or name,
 * `code` its code, exit code or signal, `message` its text. The first rule that holds decides.
 */
export interface ClassifyRule {
  failure_class: FailureClass;
  type?: RegExp;
  code?: RegExp;
  message?: RegExp;
  /** Whose error this is. */
  from: string;
}

/** Order matters: what ran out of memory first, then waiting, then coordinates, then geometry. */
export const CLASSIFY_RULES: readonly ClassifyRule[] = [
  { failure_class: 'oom', message: /array buffer allocation failed/i, from: 'V8' },
  { failure_class: 'oom', message: /invalid typed array length: \d{7}|invalid string length/i, from: 'V8' },
  { failure_class: 'oom', code: /^ERR_WORKER_OUT_OF_MEMORY$/, from: 'Node worker threads' },
  { failure_class: 'oom', message: /(heap|out) (of|out of) memory|cannot allocate memory/i, from: 'V8, libc' },
  { failure_class: 'oom', code: /^(134|137|SIGKILL|ENOMEM)$/, from: 'child process' },
  { failure_class: 'oom', type: /^(MemoryError|OutOfMemoryError)$/, from: 'any' },
  { failure_class: 'oom', message: /memory access out of bounds|bad_?alloc/i, from: 'wasm, C++' },

  { failure_class: 'upstream_timeout', type: /timeout(error)?$/i, from: 'web platform, clients' },
  { failure_class: 'upstream_timeout', type: /^AbortError$/, from: 'web platform' },
  { failure_class: 'upstream_timeout', code: /^UND_ERR_/, from: 'undici' },
  {
    failure_class: 'upstream_timeout',
    code: /^(ECONNRESET|ETIMEDOUT|ESOCKETTIMEDOUT|ECONNREFUSED|ECONNABORTED|EPIPE|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/,
    from: 'Node',
  },
  { failure_class: 'upstream_timeout', code: /^(57014|55P03|08000|08003|08006)$/, from: 'PostgreSQL' },
  {
    failure_class: 'upstream_timeout',
    message: /socket hang up|timed? ?out\b|other side closed/i,
    from: 'Node, clients',
  },
  {
    failure_class: 'upstream_timeout',
    type: /upstream|http/i,
    message: /\b(408|425|429|502|503|504)\b/,
    from: 'HTTP clients',
  },

  { failure_class: 'crs_mismatch', type: /crs|proj(ection)?error/i, from: 'pipelines, pyproj by name' },
  {
    failure_class: 'crs_mismatch',
    message: /^could not parse to valid json|^could not get projection name/i,
    from: 'proj4',
  },
  {
    failure_class: 'crs_mismatch',
    message: /unknown projection|unrecogni[sz]ed crs|unknown crs/i,
    from: 'proj4, PROJ',
  },
  { failure_class: 'crs_mismatch', message: /haven?'t handled .* in afterquote/i, from: 'wkt-parser' },
  {
    failure_class: 'crs_mismatch',
    message: /latitude or longitude exceeded limits|outside of projection domain/i,
    from: 'PROJ',
  },
  { failure_class: 'crs_mismatch', message: /transform: .*\((2049|2050)\)|operation on mixed srid/i, from: 'PostGIS' },

  {
    failure_class: 'invalid_geometry',
    type: /^(TopologyException|TopologicalError|GEOSException)$/,
    from: 'GEOS, JTS',
  },
  { failure_class: 'invalid_geometry', type: /geometry/i, from: 'pipelines, by name' },
  {
    failure_class: 'invalid_geometry',
    message: /topologyexception|non-noded intersection|side location conflict/i,
    from: 'GEOS, JTS',
  },
  {
    failure_class: 'invalid_geometry',
    message: /linearring|closed linestring|must have closed rings/i,
    from: 'GEOS, JTS, PostGIS',
  },
  { failure_class: 'invalid_geometry', message: /self-?intersection|ring self|hole lies outside/i, from: 'GEOS, JTS' },
  { failure_class: 'invalid_geometry', message: /coordinates must be finite numbers/i, from: 'proj4' },
  {
    failure_class: 'invalid_geometry',
    message: /geometrytype \d+ not supported|invalid (e?wkb|wkt)|parse error - invalid/i,
    from: 'wkx, PostGIS',
  },
];
