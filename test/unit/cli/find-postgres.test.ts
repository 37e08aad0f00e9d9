import { describe, expect, test } from 'vitest';
import { chooseInstallation, compareVersions, parseDefaultVersion, parseMajor } from '@/lib/cli/find-postgres.mjs';

const server = (major: number, postgis: string | null) => ({ major, postgis, bin: `/usr/lib/postgresql/${major}/bin` });

describe('choosing a server', () => {
  test('the newest with PostGIS is taken', () => {
    expect(chooseInstallation([server(14, '3.3.2'), server(17, '3.5.0'), server(15, '3.3.2')], null)).toEqual({
      installation: server(17, '3.5.0'),
    });
  });
  test('an older one with PostGIS is better than a newer one without', () => {
    expect(chooseInstallation([server(17, null), server(15, '3.3.2')], null)).toEqual({
      installation: server(15, '3.3.2'),
    });
  });
  test('an existing cluster is opened by its own major only', () => {
    expect(chooseInstallation([server(17, '3.5.0'), server(15, '3.3.2')], 15)).toEqual({
      installation: server(15, '3.3.2'),
    });
    expect(chooseInstallation([server(17, '3.5.0')], 15)).toEqual({
      problem: 'major_gone',
      newest: server(17, '3.5.0'),
    });
  });
  test('what is missing is named', () => {
    expect(chooseInstallation([], null)).toEqual({ problem: 'none', newest: null });
    expect(chooseInstallation([server(13, '3.3.2')], null)).toMatchObject({ problem: 'server_too_old' });
    expect(chooseInstallation([server(16, null)], null)).toEqual({ problem: 'no_postgis', newest: server(16, null) });
    expect(chooseInstallation([server(14, '3.2.0')], null)).toEqual({
      problem: 'postgis_too_old',
      newest: server(14, '3.2.0'),
    });
  });
});

test('versions compare by number, not by letter', () => {
  expect(compareVersions('3.10.0', '3.9.1')).toBeGreaterThan(0);
  expect(compareVersions('3.3', '3.3.0')).toBe(0);
  expect(compareVersions('3.2.9', '3.3')).toBeLessThan(0);
});

test('the major is read from what the server says of itself', () => {
  expect(parseMajor('postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)')).toBe(15);
  expect(parseMajor('postgres (PostgreSQL) 18beta1')).toBe(18);
  expect(parseMajor('')).toBeNull();
});

test('the version that CREATE EXTENSION gives is read from the control file', () => {
  expect(parseDefaultVersion("comment = 'PostGIS'\ndefault_version = '3.3.2'\nrelocatable = false\n")).toBe('3.3.2');
  expect(parseDefaultVersion('relocatable = false')).toBeNull();
});
