import { describe, expect, it } from 'vitest';
import { displacementFeatures, displacementSummary, orderedGroups, SHOWN_GROUPS } from '@/components/map/displacement';
import { displacementLayers } from '@/components/map/displacement-style';
import { PALETTES } from '@/components/map/palette';
import { triageStyle } from '@/components/map/style';
import type { DisplacementGroup } from '@/lib/contract/displacement';

const group = (change: Partial<DisplacementGroup> = {}): DisplacementGroup => ({
  failure_class: 'crs_mismatch',
  task_name: 'reproject_parcels',
  src_crs: 'EPSG:4326',
  count: 30,
  sampled: 30,
  in_tile: 0,
  kind: 'constant',
  sentence: 'constant 500 km west: false easting',
  from: [-76, 40],
  to: [-82, 40],
  distance_m: 510_000,
  spread_m: 900,
  bearing: 270,
  crs_verdict: 'wrong_crs',
  suggestion: null,
  filter: 'task_name=reproject_parcels',
  ...change,
});
const coordinates = (groups: DisplacementGroup[], zoom = 5) =>
  displacementFeatures(groups, zoom).features.map(({ properties, geometry }) => [
    properties?.kind,
    geometry.type === 'Point' || geometry.type === 'LineString' ? geometry.coordinates : null,
  ]);

describe('the displacement layer', () => {
  it('draws one arrow a group from where it landed to its tiles, numbered as in the list', () => {
    const { features } = displacementFeatures([group()], 5);
    expect(features.map(({ properties }) => properties)).toEqual([
      { kind: 'arrow', label: '1: 510 km' },
      { kind: 'arrow_head', rotation: 180 },
      { kind: 'landing' },
    ]);
    expect(coordinates([group()])).toEqual([
      [
        'arrow',
        [
          [-82, 40],
          [-76, 40],
        ],
      ],
      ['arrow_head', [-82, 40]],
      ['landing', [-76, 40]],
    ]);
  });

  it('goes over 180° the short way, and stays on the map next to a pole', () => {
    const [arrow] = coordinates([group({ from: [178, -17], to: [-178, -17] })]);
    expect(arrow?.[1]).toEqual([
      [178, -17],
      [182, -17],
    ]);
    const [, , landing] = coordinates([group({ from: [40, -85.0511], to: [-85, 40] })]);
    expect(landing?.[1]).toEqual([40, -84.4]);
  });

  it('has no arrow for groups without a common way, nor for one shorter than its head at this zoom', () => {
    const none = [
      group({ kind: 'scattered', bearing: null }),
      group({ kind: 'in_tiles', bearing: null }),
      group({ kind: null, from: null, to: null, distance_m: null, bearing: null }),
    ];
    expect(coordinates(none)).toEqual([]);
    expect(coordinates([group()], 1)).toEqual([]);
    expect(coordinates([group()], 2)).toHaveLength(0);
    expect(coordinates([group()], 3)).toHaveLength(3);
  });

  it('lists the displaced before those in their tiles, by count, and draws as many as it lists at first', () => {
    const groups = [group({ count: 5 }), group({ count: 90, kind: 'in_tiles' }), group({ count: 7 })];
    expect(orderedGroups(groups).map(({ count }) => count)).toEqual([7, 5, 90]);
    const many = Array.from({ length: SHOWN_GROUPS + 3 }, () => group());
    expect(displacementFeatures(many, 5).features).toHaveLength(3 * SHOWN_GROUPS);
  });

  it('says the largest in words', () => {
    expect(displacementSummary([group({ count: 2913 }), group({ kind: 'in_tiles' })])).toBe(
      'Displacement: 1 group lies away from its tiles. Largest: 2,913 constant 500 km west: false easting.',
    );
    expect(displacementSummary([group({ kind: 'in_tiles' })])).toContain('no group lies away');
  });

  it('has layers of its own beside those of the open entry', () => {
    const { layers } = triageStyle('light', 'http://localhost', {
      drawn: { source: 'entries_a', query: '' },
      loading: null,
    });
    const ids = layers.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id } of displacementLayers('dark', PALETTES.dark)) expect(ids).toContain(id);
    expect(ids.indexOf('displacement_arrow')).toBeLessThan(ids.indexOf('landing_halo'));
  });
});
