import { readdirSync, readFileSync } from 'node:fs';
import { createExpression, latest, validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { cellKey, cellPicture } from '@/components/map/cell-image';
import { TILE_SOURCES, tileLayerIds, tilesUrl } from '@/components/map/entry-style';
import { PALETTES, type Theme } from '@/components/map/palette';
import { evidenceStyle, triageStyle } from '@/components/map/style';
import { SYMBOL_CLASSES } from '@/components/ui/class-symbol';

const origin = 'http://127.0.0.1:3000';
const themes: Theme[] = ['light', 'dark'];

describe.each(themes)('the style in %s', (theme) => {
  const [source, other] = TILE_SOURCES;
  const drawn = { source, query: 'failure_class=oom' };
  const styles = [triageStyle(theme, origin, { drawn, loading: null }), evidenceStyle(theme, origin)];
  const changing = triageStyle(theme, origin, { drawn, loading: { source: other, query: 'state=any' } });

  it('passes the style specification', () => {
    for (const style of [...styles, changing]) expect(validateStyleMin(style as never)).toEqual([]);
  });

  it('asks for nothing outside its own origin', () => {
    for (const style of styles)
      for (const url of JSON.stringify(style).match(/https?:[^"]+/g) ?? []) expect(url).toMatch(`${origin}/`);
  });

  it('draws cells, then labels, then the arrow, the tile and the selection', () => {
    const ids = styles[0]!.layers.map((layer) => layer.id);
    const { cells, marks } = tileLayerIds(source);
    const order = [
      'water',
      'land',
      cells[0]!,
      marks,
      'stacks',
      'country_names',
      'arrow',
      'tile_box_small',
      'landing_halo',
    ];
    expect(order.map((id) => ids.indexOf(id))).toEqual([...order.map((id) => ids.indexOf(id))].sort((a, b) => a - b));
    expect(styles[1]!.layers.at(-1)!.id).toBe('fault_numbers');
  });

  it('hides the tiles that are loading under its ground, and draws them as the others once they are there', () => {
    const of = (layers: typeof changing.layers, name: string) =>
      layers.filter((layer) => 'source' in layer && layer.source === name);
    expect(changing.layers.slice(of(changing.layers, other).length)).toEqual(styles[0]!.layers);
    expect(changing.layers[of(changing.layers, other).length]).toMatchObject({ id: 'water', type: 'background' });
    const text = JSON.stringify(of(changing.layers, other)).replaceAll(other, source);
    expect(text).toBe(JSON.stringify(of(changing.layers, source)));
  });

  it('shows a tile’s cells at its own zoom only', () => {
    tileLayerIds(source).cells.forEach((id, zoom) => {
      const layer = styles[0]!.layers.find((each) => each.id === id);
      expect([layer?.minzoom, layer?.maxzoom]).toEqual([zoom, zoom + 1]);
    });
  });

  it('makes cells smaller further out than zoom 0, where they come nearer to each other', () => {
    const layer = styles[0]!.layers.find((each) => each.id === tileLayerIds(source).cells[0]);
    const made = createExpression(
      (layer!.layout as Record<string, unknown>)['icon-size'],
      latest.layout_symbol['icon-size'] as never,
    );
    if (made.result !== 'success') throw new Error(JSON.stringify(made.value));
    expect([-2, -1, 0, 5].map((zoom) => made.value.evaluate({ zoom }))).toEqual([0.25, 0.5, 1, 1]);
  });

  it('names a cell’s picture as the picture names itself', () => {
    const layer = styles[0]!.layers.find((each) => each.id === tileLayerIds(source).cells[4]);
    const made = createExpression(
      (layer!.layout as Record<string, unknown>)['icon-image'],
      latest.layout_symbol['icon-image'] as never,
    );
    if (made.result !== 'success') throw new Error(JSON.stringify(made.value));
    for (const [counts, reopened] of [
      [{ crs_mismatch: 1 }, 0],
      [{ crs_mismatch: 90, invalid_geometry: 40, unknown: 9 }, 2],
      [{ other: 3, oom: 7 }, 0],
    ] as const) {
      const total = Object.values(counts).reduce((sum, value) => sum + value, 0);
      const feature = { type: 1 as const, properties: { ...counts, total, reopened } };
      const name = String(made.value.evaluate({ zoom: 4 }, feature as never));
      expect(name).toBe(`${theme}|${cellKey(cellPicture(counts, reopened))}`);
    }
    expect(SYMBOL_CLASSES).toHaveLength(6);
  });
});

it('the tiles carry the filter', () => {
  expect(tilesUrl(origin, '')).toBe(`${origin}/api/tiles/{z}/{x}/{y}`);
  expect(tilesUrl(origin, 'state=open')).toBe(`${origin}/api/tiles/{z}/{x}/{y}?state=open`);
});

it('the palette agrees with the design tokens', () => {
  const css = readFileSync('app/tokens.css', 'utf8');
  for (const name of Object.keys(PALETTES.light) as (keyof typeof PALETTES.light)[]) {
    const pair = new RegExp(`--${name}:\\s*light-dark\\((#\\w+), (#\\w+)\\)`).exec(css);
    expect([PALETTES.light[name], PALETTES.dark[name]], name).toEqual(pair?.slice(1));
  }
});

it('one file alone loads the map library', () => {
  const folder = 'components/map';
  const loading = readdirSync(folder).filter((name) =>
    /\.tsx?$/.test(name)
      ? /^import (?!type)[^;]*from 'maplibre-gl'/m.test(readFileSync(`${folder}/${name}`, 'utf8'))
      : false,
  );
  expect(loading).toEqual(['map-controller.ts']);
});
