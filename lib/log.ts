import pino, { type Logger } from 'pino';

const key = Symbol.for('dead-letter-office.log');
const shared = globalThis as { [key]?: Logger };

/**
 * The log of this process: JSON lines on standard output. Neither coordinates nor payloads go in. The level is read
 * here, not through the configuration, so that a wrong configuration can be logged.
 */
export function getLog(): Logger {
  shared[key] ??= pino({ level: process.env.DLO_LOG_LEVEL || 'info', base: { pid: process.pid } });
  return shared[key];
}
