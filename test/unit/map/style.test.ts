import { readdirSync, readFileSync } from 'node:fs';
import { createExpression, latest, validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { cellKey, cellPicture } from '@/components/map/cell-image';
import { CELL_LAYERS } from '@/components/map/entry-style';
import { PALETTES, type Theme } from '@/components/map/palette';
import { evidenceStyle, tilesUrl, triageStyle } from '@/components/map/style';
import { SYMBOL_CLASSES } from '@/components/ui/class-symbol';

const origin = 'http://127.0.0.1:3000';
const themes: Theme[] = ['light', 'dark'];

describe.each(themes)('the style in %s', (theme) => {
  const styles = [triageStyle(theme, origin, 'failure_class=oom'), evidenceStyle(theme, origin)];

  it('passes the style specification', () => {
    for (const style of styles) expect(validateStyleMin(style as never)).toEqual([]);
  });

  it('asks for nothing outside its own origin', () => {
    for (const style of styles)
      for (const url of JSON.stringify(style).match(/https?:[^"]+/g) ?? []) expect(url).toMatch(`${origin}/`);
  });

  it('draws cells, then labels, then the arrow, the tile and the selection', () => {
    const ids = styles[0]!.layers.map((layer) => layer.id);
    const order = ['water', 'land', 'cells_0', 'marks', 'country_names', 'arrow', 'tile_box_small', 'landing_halo'];
    expect(order.map((id) => ids.indexOf(id))).toEqual([...order.map((id) => ids.indexOf(id))].sort((a, b) => a - b));
    expect(styles[1]!.layers.at(-1)!.id).toBe('fault_numbers');
  });

  it('shows a tile’s cells at its own zoom only', () => {
    CELL_LAYERS.forEach((id, zoom) => {
      const layer = styles[0]!.layers.find((each) => each.id === id);
      expect([layer?.minzoom, layer?.maxzoom]).toEqual([zoom, zoom + 1]);
    });
  });

  it('names a cell’s picture as the picture names itself', () => {
    const layer = styles[0]!.layers.find((each) => each.id === 'cells_4');
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
