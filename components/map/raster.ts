/** Straight (not premultiplied) RGBA, `width`×`height` device pixels; `ratio` device pixels make one CSS pixel. */
export type Raster = { width: number; height: number; ratio: number; data: Uint8ClampedArray };
/** Signed distance in CSS pixels to a shape's edge, negative inside. */
export type Shape = (x: number, y: number) => number;

/** A transparent picture of `width`×`height` CSS pixels. */
export function newRaster(width: number, height: number, ratio: number): Raster {
  const w = Math.ceil(width * ratio);
  const h = Math.ceil(height * ratio);
  return { width: w, height: h, ratio, data: new Uint8ClampedArray(w * h * 4) };
}

/** [r, g, b, a], each 0–255, of `#rrggbb` or `#rrggbbaa`. */
export function rgba(hex: string): [number, number, number, number] {
  const value = hex.length === 7 ? `${hex}ff` : hex;
  const byte = (i: number) => Number.parseInt(value.slice(i, i + 2), 16);
  return [byte(1), byte(3), byte(5), byte(7)];
}

/** Paints `color` over the picture wherever `shape` covers it; the edge is smoothed over one device pixel. */
export function paint(raster: Raster, shape: Shape, color: string): void {
  const [r, g, b, a] = rgba(color);
  const { data, width, height, ratio } = raster;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const distance = shape((column + 0.5) / ratio, (row + 0.5) / ratio) * ratio;
      const over = (Math.min(1, Math.max(0, 0.5 - distance)) * a) / 255;
      if (over === 0) continue;
      const i = (row * width + column) * 4;
      const under = data[i + 3]! / 255;
      const sum = over + under * (1 - over);
      const mix = (top: number, bottom: number) => (top * over + bottom * under * (1 - over)) / sum;
      data[i] = mix(r, data[i]!);
      data[i + 1] = mix(g, data[i + 1]!);
      data[i + 2] = mix(b, data[i + 2]!);
      data[i + 3] = sum * 255;
    }
}

/** The line of `width` CSS pixels along the edge of `shape`. */
export function outline(shape: Shape, width: number): Shape {
  return (x, y) => Math.abs(shape(x, y)) - width / 2;
}

export function circle(cx: number, cy: number, radius: number): Shape {
  return (x, y) => Math.hypot(x - cx, y - cy) - radius;
}

export function rectangle(left: number, top: number, width: number, height: number, corner = 0): Shape {
  return (x, y) => {
    const dx = Math.abs(x - left - width / 2) - width / 2 + corner;
    const dy = Math.abs(y - top - height / 2) - height / 2 + corner;
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
  };
}

type Point = readonly [number, number];

function toSegment(x: number, y: number, [ax, ay]: Point, [bx, by]: Point): number {
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
  return Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay));
}

/** A pen stroke of `width` with round ends along the points. */
export function stroke(points: readonly Point[], width: number): Shape {
  return (x, y) => {
    let nearest = Number.POSITIVE_INFINITY;
    for (let i = 1; i < points.length; i++) nearest = Math.min(nearest, toSegment(x, y, points[i - 1]!, points[i]!));
    return nearest - width / 2;
  };
}

/** A closed polygon; the first point need not be repeated. */
export function polygon(points: readonly Point[]): Shape {
  const edge = stroke([...points, points[0]!], 0);
  return (x, y) => {
    let inside = false;
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const [ax, ay] = points[i]!;
      const [bx, by] = points[j]!;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
    return inside ? -edge(x, y) : edge(x, y);
  };
}

/** The arc from `from` to `to` radians (clockwise, 0 points right) as points for `stroke`. */
export function arc(cx: number, cy: number, radius: number, from: number, to: number): Point[] {
  return Array.from({ length: 13 }, (_, i) => {
    const angle = from + ((to - from) * i) / 12;
    return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)] as const;
  });
}
