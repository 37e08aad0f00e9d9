import { readFileSync } from 'node:fs';

const levels = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
/** Asked ten times a second while the server starts. */
const probes = new Set(['/readyz', '/healthz']);

/**
 * @param {string} file JSON lines among plain ones, as of the web process
 * @param {number} [count]
 * @returns {string} its last lines as a person reads them, indented, without probes; empty when it cannot be read
 */
export function readableTail(file, count = 25) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return '';
  }
  const lines = text.trimEnd().split('\n').flatMap(readable);
  return lines
    .slice(-count)
    .map((line) => `    ${line}`)
    .join('\n');
}

/**
 * @param {string} line
 * @returns {string[]} one line; none for a probe
 */
function readable(line) {
  const entry = parsed(line);
  if (!entry || !(entry.level in levels) || !Number.isFinite(entry.time)) return [line];
  if (probes.has(entry.route)) return [];
  const { level, time, pid, request_id, msg, err, ...rest } = entry;
  const clock = new Date(time).toISOString().slice(11, 19);
  const members = Object.entries(rest).map(([name, value]) => `${name}=${bare(value)}`);
  const reason = err?.message && err.message !== msg ? [err.message] : [];
  return [[clock, levels[level], msg, ...reason, ...members].join(' ').replaceAll('\n', ' ')];
}

const bare = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** @param {string} line */
function parsed(line) {
  try {
    return line.startsWith('{') ? JSON.parse(line) : null;
  } catch {
    return null;
  }
}
