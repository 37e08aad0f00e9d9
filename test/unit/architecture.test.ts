import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^(app|components|lib|db)\/.*\.(ts|tsx)$/.test(file));

/** Module specifiers of a file, the project's own ones as paths from the root. Type-only imports are left out on request. */
function importsOf(file: string, with_types: boolean): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const found = [
    ...text.matchAll(
      /^(?:import|export)\s+(type\s+)?[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gms,
    ),
  ];
  return found
    .filter((match) => with_types || !match[1])
    .map((match) => match[2] ?? match[3] ?? match[4] ?? '')
    .map((specifier) => {
      if (specifier.startsWith('@/')) return specifier.slice(2);
      if (specifier.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
      return specifier;
    });
}

const VERBS =
  'lib/(attach|blobs|triage|redrive|operations|diagnose|repair|reports|ingest|health|tasks|tokens|runs|spool|views|worker)/';

/** Each line: files of a layer must not import what the pattern matches. */
const LINES: { layer: string; files: RegExp; never: RegExp; with_types?: boolean }[] = [
  {
    layer: 'the pure core knows no framework, database, clock or environment',
    files: /^lib\/(dead-letter|wkb|crs|faults|index)\//,
    never: new RegExp(
      `^(react|next|pg|drizzle-orm|@tanstack|node:(?!buffer)|pino)|^(app|components|db|lib/(contract/(?!entry|error)|http|api|capture|object-store|cli|log|config))/?|^${VERBS}`,
    ),
  },
  {
    layer: 'the contract rests on the core alone',
    files: /^lib\/contract\//,
    never: new RegExp(
      `^(app|components|db|lib/(http|api|capture|object-store|cli|log|config))(/|$)|^${VERBS}|^(react|next|pg|drizzle-orm)`,
    ),
  },
  {
    layer: 'the database layer knows no verb, handler or page',
    files: /^db\/(?!demo)/,
    never: new RegExp(`^(app|components|lib/(http|api|cli))(/|$)|^${VERBS}|^(react|next)(/|$)`),
  },
  {
    layer: 'verbs know no handler or page',
    files: new RegExp(`^${VERBS}`),
    never: /^(app|components|lib\/(http|api|cli))(\/|$)|^(react|next)(\/|$)/,
  },
  {
    layer: 'the client for pipelines is made of Node, the core and the client of object storage, in its types too',
    files: /^lib\/capture\//,
    never: /^(?!node:|lib\/(capture|dead-letter|object-store)\/)/,
    with_types: true,
  },
  {
    layer: 'the server shares with the client for pipelines the form of a spool file, and nothing else',
    files: /^lib\/(?!capture|cli)/,
    never: /^lib\/capture(\/(?!spool-(line|name)$)|$)/,
  },
  {
    layer: 'the client of object storage knows Node and its signatures, and nothing of this project',
    files: /^lib\/object-store\//,
    never: /^(?!node:|aws4fetch$|lib\/object-store\/)/,
    with_types: true,
  },
  {
    layer: 'object storage is reached through a store of blobs, a loader of spools or the client for pipelines',
    files: /^(?!lib\/(object-store|blobs|spool|capture)\/)/,
    never: /^lib\/object-store\//,
  },
  {
    layer: 'the blob store, on which other verbs rest, rests on none of them',
    files: /^lib\/blobs\//,
    never: new RegExp(`^(?!lib/blobs/)${VERBS}`),
    with_types: true,
  },
  {
    layer: 'a spool is loaded and a table attached by the worker, a command or a page, not on the way of another verb',
    files: /^lib\/(?!spool|attach|worker|cli)/,
    never: /^lib\/(spool|attach)\//,
  },
  {
    layer: 'components never reach the database or a verb',
    files: /^components\//,
    never: new RegExp(`^(db|app|lib/http|pg|drizzle-orm)(/|$)|^${VERBS}`),
  },
  {
    layer: 'the browser’s fetch knows the contract only',
    files: /^lib\/api\//,
    never: new RegExp(`^(db|app|components|lib/http|pg|drizzle-orm)(/|$)|^${VERBS}`),
  },
  {
    layer: 'handlers go through verbs, never to the database',
    files: /^app\/api\//,
    never: /^(db|pg|drizzle-orm)(\/|$)/,
  },
];

describe('dependencies point in one direction', () => {
  test.each(LINES)('$layer', ({ files: pattern, never, with_types }) => {
    const wrong = files
      .filter((file) => pattern.test(file))
      .flatMap((file) =>
        importsOf(file, with_types ?? false)
          .filter((specifier) => never.test(specifier))
          .map((specifier) => `${file} → ${specifier}`),
      );
    expect(wrong).toEqual([]);
  });

  test('only the map’s controller loads MapLibre', () => {
    const wrong = files.filter((file) =>
      importsOf(file, false).some((specifier) => /^maplibre-gl(\/dist\/.*mjs)?$/.test(specifier)),
    );
    expect(wrong.filter((file) => !/^components\/map\/[\w-]*(controller|maplibre)[\w-]*\.ts$/.test(file))).toEqual([]);
  });

  test('every file under the source folders was looked at', () => {
    expect(files.length).toBeGreaterThan(30);
  });
});
