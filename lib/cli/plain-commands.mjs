/**
 * The commands that work before `npm install`, and `web`, which becomes the server itself. The rest is in main.ts.
 * @type {Record<string, { summary: string, options: [string, string][] }>}
 */
export const plainCommands = {
  start: {
    summary: 'install, build, find or make the database, migrate, then run web and worker until Ctrl-C',
    options: [
      ['--empty', 'leave an empty queue empty: no demo'],
      ['--port <number>', 'port on 127.0.0.1 (default: PORT, else 3000)'],
    ],
  },
  web: {
    summary: 'run the web server on 127.0.0.1, with the worker inside unless DLO_WORKER=off',
    options: [['--port <number>', 'port on 127.0.0.1 (default: PORT, else 3000)']],
  },
  'db-url': {
    summary: 'print DATABASE_URL, or the connection string of the private database while it runs',
    options: [],
  },
};

/**
 * @param {string} name of a plain command
 * @returns {string}
 */
export function plainHelp(name) {
  const { summary, options } = plainCommands[name];
  const rows = [...options, ['-h, --help', 'display help for command']];
  const width = Math.max(...rows.map(([flags]) => flags.length)) + 2;
  const lines = rows.map(([flags, text]) => `  ${flags.padEnd(width)}${text}`);
  return [`Usage: dlo ${name} [options]`, '', summary, '', 'Options:', ...lines].join('\n');
}
