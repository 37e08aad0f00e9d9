import type { Filter } from '@/lib/contract/filter';

/** Thirty days of the ninety that are generated. */
const MONTH = { since: '2026-10-15T00:00:00Z', until: '2026-11-14T00:00:00Z' };
const WEEK = { since: '2026-11-20T06:30:00Z', until: '2026-11-27T06:30:00Z' };
/** About a state of the USA. */
const OHIO: [number, number, number, number] = [-85, 38, -80, 42];
const EUROPE: [number, number, number, number] = [-12, 35, 32, 70];

/** Twenty filters of the kinds that a person sets: none, one, several, a period, a box, exclusions, rare values. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  none: {},
  'every state': { state: ['any'] },
  'one class': { failure_class: ['crs_mismatch'] },
  'class and state': { failure_class: ['crs_mismatch'], state: ['open'] },
  'two classes and a task': { failure_class: ['crs_mismatch', 'invalid_geometry'], task_name: ['task_1'] },
  'task by prefix': { task_name: ['task_1*'] },
  'not one claim': { src_crs: ['!EPSG:4326'] },
  'claim and version': { src_crs: ['EPSG:25832'], code_version: ['v7'] },
  'rare: three conditions': { task_name: ['task_27'], src_crs: ['EPSG:28992'], code_version: ['v3'] },
  signature: { signature: ['0000000000000005'] },
  'not on the map': { mappable: false },
  'one reason': { unmappable_reason: ['no_crs'], state: ['any'] },
  'came back': { reopened: true },
  '30 days': MONTH,
  'several and 30 days': {
    failure_class: ['crs_mismatch', 'invalid_geometry'],
    task_name: ['task_0', 'task_1', 'task_2'],
    ...MONTH,
  },
  '7 days of two versions': { code_version: ['v12', 'v13'], ...WEEK },
  'a small box': { bbox: OHIO },
  'a large box': { bbox: EUROPE },
  'large box, class, 30 days': { bbox: EUROPE, failure_class: ['invalid_geometry'], ...MONTH },
  'quarantined or resolved': { state: ['quarantined', 'resolved'], error_class: ['fatal'] },
};
