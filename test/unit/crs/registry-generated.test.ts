import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RegistryFile, RegistryRow } from '@/lib/crs/registry/registry-file';

const folder = path.join(import.meta.dirname, '../../../lib/crs/registry');
const checked_in = path.join(folder, 'registry.json');
const { meta } = JSON.parse(readFileSync(checked_in, 'utf8')) as RegistryFile;
/** 1 compares every byte, in 20 s of CPU. */
const every = Number(process.env.DLO_REGISTRY_EVERY ?? 25);

/** Versions of PROJ and its data where this machine has them for Python, else why not. */
function installed(): Partial<RegistryFile['meta']> | string {
  const script = `
import json, os, pyproj, sqlite3
db = sqlite3.connect("file:" + os.path.join(pyproj.datadir.get_data_dir(), "proj.db") + "?mode=ro", uri=True)
facts = dict(db.execute("select key, value from metadata"))
print(json.dumps({"proj": pyproj.proj_version_str, "epsg": facts["EPSG.VERSION"], "esri": facts["ESRI.VERSION"]}))`;
  try {
    return JSON.parse(execFileSync('/usr/bin/python3', ['-c', script], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return 'there is no pyproj for /usr/bin/python3';
  }
}

const here = installed();
const reason =
  typeof here === 'string'
    ? here
    : here.proj === meta.proj && here.epsg === meta.epsg && here.esri === meta.esri
      ? null
      : `the registry is made from EPSG ${meta.epsg} with PROJ ${meta.proj}; here are ${here.epsg} and ${here.proj}`;

/** Position of the two columns that cost a question to PROJ. */
const PROJ = 10;
const ENVELOPE = 11;

test('the registry that is checked in is what its generator writes', { timeout: 300_000 }, ({ skip }) => {
  if (reason !== null) skip(reason);
  const scratch = mkdtempSync(path.join(tmpdir(), 'dlo-registry-'));
  try {
    const made = path.join(scratch, 'registry.json');
    const script = path.join(folder, 'generate.py');
    execFileSync('/usr/bin/python3', [script, made, '--every', String(every)], { stdio: 'pipe' });
    if (every === 1) {
      expect(readFileSync(made).equals(readFileSync(checked_in))).toBe(true);
      return;
    }
    const { crs, ...lists } = JSON.parse(readFileSync(made, 'utf8')) as RegistryFile;
    const { crs: kept_crs, ...kept_lists } = JSON.parse(readFileSync(checked_in, 'utf8')) as RegistryFile;
    expect(lists).toEqual(kept_lists);
    expect(Object.keys(crs)).toEqual(Object.keys(kept_crs));
    let compared = 0;
    for (const [authority, rows] of Object.entries(crs)) {
      const kept = kept_crs[authority] as RegistryRow[];
      expect(rows.map(withoutProj)).toEqual(kept.map(withoutProj));
      for (const [index, row] of rows.entries()) {
        if (!row[ENVELOPE] && !row[PROJ]) continue;
        compared++;
        expect(row).toEqual(kept[index]);
      }
    }
    expect(compared).toBeGreaterThan(9000 / every);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});

function withoutProj(row: RegistryRow): unknown[] {
  return Array.from({ length: 13 }, (_, at) => (at === PROJ || at === ENVELOPE ? null : (row[at] ?? null)));
}
