import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aliasesOf, allCrs, type CrsRecord, crsOf } from '@/lib/crs/registry/registry';

const known = (id: string): CrsRecord => {
  const record = crsOf(id);
  if (!record) throw new Error(`${id} is not in the registry`);
  return record;
};

describe('what the registry knows of a CRS', () => {
  it('British National Grid is projected, in metres, from OSGB36', () => {
    expect(known('EPSG:27700')).toMatchObject({
      name: 'OSGB36 / British National Grid',
      kind: 'projected',
      deprecated: false,
      area: [-9, 49.75, 2.01, 61.01],
      axis_order: 'east_north',
      unit: 'metre',
      unit_factor: 1,
      base: 'EPSG:4277',
      method: 'Transverse Mercator',
      proj: expect.stringMatching(/^\+proj=tmerc .*\+ellps=airy/),
    });
    expect(aliasesOf('EPSG:27700')).toContain('British National Grid');
  });

  it('the order of axes is the registry’s, the envelope’s is x,y', () => {
    expect(known('EPSG:4326').axis_order).toBe('north_east');
    expect(known('EPSG:4326').envelope).toEqual([-180, -90, 180, 90]);
    expect(known('OGC:CRS84').axis_order).toBe('east_north');
    expect(known('EPSG:2193').axis_order).toBe('north_east');
    const [west, south, east, north] = known('EPSG:31467').envelope as number[];
    expect([west, east].every((x) => (x as number) > 3e6 && (x as number) < 4e6)).toBe(true);
    expect([south, north].every((y) => (y as number) > 5e6 && (y as number) < 7e6)).toBe(true);
    expect(known('EPSG:5513').axis_order).toBe('south_west');
    expect(known('EPSG:2053').axis_order).toBe('west_south');
  });

  it('units are given by name and factor: feet, grads, degrees', () => {
    expect(known('EPSG:2263')).toMatchObject({ unit: 'US survey foot', unit_factor: expect.closeTo(1200 / 3937, 15) });
    expect(known('EPSG:4807')).toMatchObject({ unit: 'grad', unit_factor: expect.closeTo(Math.PI / 200, 15) });
    expect(known('EPSG:4326')).toMatchObject({ unit: 'degree' });
  });

  it('a deprecated CRS names what replaced it', () => {
    expect(known('ESRI:102100')).toMatchObject({ deprecated: true, replacements: ['EPSG:3857'] });
    const deprecated = allCrs().filter((crs) => crs.id.startsWith('EPSG:') && crs.deprecated);
    expect(deprecated).toHaveLength(528);
    expect(deprecated.filter((crs) => crs.replacements.length > 0).length).toBeGreaterThanOrEqual(450);
  });

  it('an area of use may cross 180°, or be missing', () => {
    const [west, , east] = known('EPSG:4167').area as number[];
    expect(west).toBeGreaterThan(east as number);
    expect(allCrs().filter((crs) => crs.area === null)).toHaveLength(15);
    expect(known('EPSG:29119')).toMatchObject({ area: null, envelope: null });
  });

  it('kinds tell what cannot place x and y', () => {
    expect(known('EPSG:5701').kind).toBe('vertical');
    expect(known('EPSG:4978').kind).toBe('geocentric');
    expect(known('EPSG:4979').kind).toBe('geographic_3d');
    expect(known('ESRI:104905').kind).toBe('other');
    expect(known('EPSG:7405')).toMatchObject({ kind: 'compound', base: 'EPSG:27700', proj: null, envelope: null });
  });

  it('a code that nobody gave out is null', () => {
    for (const id of ['EPSG:99999', '27700', '', 'epsg:27700', 'EPSG:__proto__']) expect(crsOf(id)).toBeNull();
  });
});

describe('every record', () => {
  it('stands once, by authority and number', () => {
    const ids = allCrs().map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(11_000);
    expect(new Set(ids).size).toBe(ids.length);
    const epsg = ids.filter((id) => id.startsWith('EPSG:')).map((id) => Number(id.slice(5)));
    expect(epsg).toEqual(epsg.toSorted((a, b) => a - b));
    expect(ids.map((id) => id.split(':')[0])).toEqual(ids.map((id) => id.split(':')[0]).toSorted());
  });

  it('has boxes of finite numbers the right way up, and factors over zero', () => {
    const wrong = allCrs().filter(({ kind, area, envelope, unit_factor }) => {
      const boxes = [area, envelope].filter((box) => box !== null);
      const flat = boxes.some(([w, s, e, n]) => ![w, s, e, n].every(Number.isFinite) || s > n);
      const turned = kind === 'projected' && envelope !== null && envelope[0] > envelope[2];
      const off_earth = area?.some((degree, at) => Math.abs(degree) > (at % 2 === 0 ? 180 : 90));
      return flat || turned || off_earth || (unit_factor !== null && !(unit_factor > 0));
    });
    expect(wrong).toEqual([]);
  });

  it('points at bases and replacements that exist, and carries no datum shift', () => {
    const wrong = allCrs().filter(
      ({ base, replacements, proj }) =>
        (base !== null && !crsOf(base)) ||
        replacements.some((id) => !crsOf(id)) ||
        /\+(datum|towgs84|nadgrids)/.test(proj ?? ''),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('has a checked text for proj4 in 98 % of EPSG’s projected ones', () => {
    const projected = allCrs().filter((crs) => crs.id.startsWith('EPSG:') && crs.kind === 'projected');
    const share = projected.filter(({ proj }) => proj !== null).length / projected.length;
    expect(share).toBeGreaterThan(0.98);
  });
});

describe('the registry stays on the server', () => {
  const root = path.join(import.meta.dirname, '../../..');
  const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
    .toString()
    .split('\n')
    .filter((file) => /^(app|components|lib)\/.*\.tsx?$/.test(file) && existsSync(path.join(root, file)));

  function importsOf(file: string): string[] {
    const text = readFileSync(path.join(root, file), 'utf8');
    const found = text.matchAll(/(?:^|\n)(?:import|export)\s+(?!type\b)[^;]*?from\s+'([^']+)'|import\('([^']+)'\)/g);
    return [...found].flatMap(([, fixed, late]) => {
      const given = fixed ?? late ?? '';
      const module = given.startsWith('@/')
        ? given.slice(2)
        : given.startsWith('.')
          ? path.posix.join(path.posix.dirname(file), given)
          : null;
      if (module === null) return [];
      const ending = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].find(
        (end) => /\.\w+$/.test(module + end) && existsSync(path.join(root, module + end)),
      );
      return ending === undefined ? [] : [module + ending];
    });
  }

  /** What the browser or a pipeline loads: components and their kin, and the client for pipelines. */
  const starts = sources.filter(
    (file) =>
      /^(components|lib\/(api|capture))\//.test(file) ||
      /^\s*['"]use client['"]/.test(readFileSync(path.join(root, file), 'utf8')),
  );

  it('no component, browser module or client of a pipeline reaches it', () => {
    const reached = new Map<string, string>(starts.map((file) => [file, file]));
    const waiting = [...starts];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
      for (const next of importsOf(file))
        if (!reached.has(next)) {
          reached.set(next, `${reached.get(file)} → ${next}`);
          waiting.push(next);
        }
    expect(starts.length).toBeGreaterThan(20);
    expect(reached.size).toBeGreaterThan(starts.length);
    expect(reached.get('lib/crs/registry/registry.json') ?? null).toBeNull();
  });
});
