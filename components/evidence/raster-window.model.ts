/** A window on a raster as it can be drawn: its corner and size in pixels or in units, or null where its words are others. */
export type RasterBox = {
  x: number;
  y: number;
  width: number;
  height: number;
  unit: 'px' | 'units' /** y grows downwards. */;
  down: boolean;
};

const pick = (window: Record<string, number>, ...names: string[]): number | null => {
  for (const name of names) {
    const value = window[name];
    if (value !== undefined && Number.isFinite(value)) return value;
  }
  return null;
};

/** Understands offset and size (`col_off, row_off, width, height`) and bounds (`xmin, ymin, xmax, ymax`; `west…`). */
export function rasterBox(window: Record<string, number> | null): RasterBox | null {
  if (!window) return null;
  const [x, y] = [
    pick(window, 'col_off', 'xoff', 'x_off', 'x', 'col'),
    pick(window, 'row_off', 'yoff', 'y_off', 'y', 'row'),
  ];
  const [width, height] = [pick(window, 'width', 'xsize', 'w', 'cols'), pick(window, 'height', 'ysize', 'h', 'rows')];
  if (x !== null && y !== null && width !== null && height !== null)
    return { x, y, width, height, unit: 'px', down: true };
  const [x0, y0] = [pick(window, 'xmin', 'minx', 'west', 'left'), pick(window, 'ymin', 'miny', 'south', 'bottom')];
  const [x1, y1] = [pick(window, 'xmax', 'maxx', 'east', 'right'), pick(window, 'ymax', 'maxy', 'north', 'top')];
  if (x0 === null || y0 === null || x1 === null || y1 === null) return null;
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0, unit: 'units', down: false };
}
