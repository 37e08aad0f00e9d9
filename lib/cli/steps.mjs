import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ended, startChild } from './children.mjs';
import { logFile, Refusal } from './project.mjs';

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * Runs one named step and shows that it goes on: a ticking line in a terminal, elsewhere a line now and then.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(name, work) {
  const since = performance.now();
  const terminal = process.stdout.isTTY === true;
  const running = () =>
    process.stdout.write(terminal ? `\r\x1b[K  … ${name} ${seconds(since)}` : `  … ${name} ${seconds(since)}\n`);
  const first = setTimeout(running, terminal ? 0 : 1_500);
  const tick = setInterval(running, terminal ? 200 : 15_000);
  const finish = (mark) => {
    clearTimeout(first);
    clearInterval(tick);
    process.stdout.write(`${terminal ? '\r\x1b[K' : ''}  ${mark} ${name} (${seconds(since)})\n`);
  };
  try {
    const result = await work();
    finish('✓');
    return result;
  } catch (error) {
    finish('✗');
    throw error;
  }
}

/**
 * @param {string} file
 * @param {number} [lines]
 * @returns {string} the last lines of a file, indented; empty when it cannot be read
 */
export function tail(file, lines = 25) {
  try {
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-lines)
      .map((line) => `    ${line}`)
      .join('\n');
  } catch {
    return '';
  }
}

/**
 * Runs a command with its output in a log; fails with the end of that log.
 * @param {string} command
 * @param {string[]} args
 * @param {{ log: string, env?: Record<string, string | undefined>, cwd?: string, uid?: number, gid?: number }} options `log`: a name
 */
export async function runLogged(command, args, { log, ...options }) {
  const file = logFile(log);
  writeFileSync(file, `$ ${command} ${args.join(' ')}\n`);
  let outcome;
  try {
    outcome = await ended(startChild(command, args, { ...options, log: file }));
  } catch (error) {
    throw new Refusal(`${command} could not be run: ${error.message}`);
  }
  if (outcome.code !== 0) {
    const how = outcome.signal ?? `exit ${outcome.code}`;
    throw new Refusal(
      `${basename(command)} ${args.map((arg) => basename(arg)).join(' ')} failed (${how}). The end of ${file}:\n${tail(file)}`,
    );
  }
}
