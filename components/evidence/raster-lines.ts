import { clipSegment, FAR_PX } from './clip.model';
import type { Size } from './view.model';

/**
 * Lines drawn pixel by pixel into an alpha mask, two pixels wide and without smoothing. A canvas strokes some 50 segments
 * a millisecond in software (24,000 took 450 ms); this takes 1 ms for as many, which is what lets a dense line be panned.
 */
export class LineMask {
  private readonly width: number;
  private readonly height: number;
  private readonly pixels: Uint8ClampedArray<ArrayBuffer>;

  constructor(
    private readonly size: Size,
    /** Device pixels of a CSS pixel. */
    private readonly ratio: number,
  ) {
    this.width = Math.round(size.width * ratio);
    this.height = Math.round(size.height * ratio);
    this.pixels = new Uint8ClampedArray(this.width * this.height * 4);
  }

  /** A run of flat x, y in CSS pixels. `dash` draws six pixels of ten. */
  add(run: readonly number[], dash: boolean): void {
    let gone = 0;
    for (let i = 2; i < run.length; i += 2) {
      let [ax, ay, bx, by] = [run[i - 2], run[i - 1], run[i], run[i + 1]] as [number, number, number, number];
      if (!(Math.abs(ax) < FAR_PX && Math.abs(ay) < FAR_PX && Math.abs(bx) < FAR_PX && Math.abs(by) < FAR_PX)) {
        const seen = clipSegment(ax, ay, bx, by, { x0: 0, y0: 0, x1: this.size.width, y1: this.size.height });
        if (!seen) continue;
        [ax, ay, bx, by] = seen;
      }
      gone = this.segment(ax * this.ratio, ay * this.ratio, bx * this.ratio, by * this.ratio, dash, gone);
    }
  }

  private segment(ax: number, ay: number, bx: number, by: number, dash: boolean, gone: number): number {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(bx - ax), Math.abs(by - ay))));
    const [dx, dy] = [(bx - ax) / steps, (by - ay) / steps];
    for (let step = 0; step < steps; step++) {
      if (dash && (gone + step) % 10 > 5) continue;
      const x = Math.floor(ax + dx * step);
      const y = Math.floor(ay + dy * step);
      this.plot(x, y);
      if (Math.abs(dx) > Math.abs(dy)) this.plot(x, y - 1);
      else this.plot(x - 1, y);
    }
    return gone + steps;
  }

  private plot(x: number, y: number): void {
    if (x >= 0 && y >= 0 && x < this.width && y < this.height) this.pixels[(y * this.width + x) * 4 + 3] = 255;
  }

  /** Paints the mask in a colour over what the canvas shows. */
  paint(ctx: CanvasRenderingContext2D, colour: string): void {
    if (this.width === 0 || this.height === 0) return;
    paintMask(ctx, this.pixels, this.width, this.height, this.size, colour);
  }
}

/**
 * The area within rings, even-odd, pixel by pixel and without smoothing: each edge turns over the pixels to its right, row
 * by row. In software the fill of a canvas costs most of a frame where a ring is dense on the screen.
 */
export class AreaMask {
  private readonly width: number;
  private readonly height: number;
  private readonly turned: Uint8Array;

  constructor(
    private readonly size: Size,
    /** Device pixels of a CSS pixel. */
    private readonly ratio: number,
  ) {
    this.width = Math.round(size.width * ratio);
    this.height = Math.round(size.height * ratio);
    this.turned = new Uint8Array(this.width * this.height);
  }

  /** A ring of flat x, y in CSS pixels; it is closed where it is not. */
  add(ring: readonly number[]): void {
    const { ratio } = this;
    for (let i = 0, last = ring.length - 2; i < ring.length; last = i, i += 2)
      this.edge(
        (ring[last] as number) * ratio,
        (ring[last + 1] as number) * ratio,
        (ring[i] as number) * ratio,
        (ring[i + 1] as number) * ratio,
      );
  }

  private edge(ax: number, ay: number, bx: number, by: number): void {
    if (ay > by) {
      this.edge(bx, by, ax, ay);
      return;
    }
    // rows whose middle lies between both ends: an end that two edges share counts once
    const from = Math.max(0, Math.ceil(ay - 0.5));
    const to = Math.min(this.height, Math.ceil(by - 0.5));
    const slope = (bx - ax) / (by - ay);
    for (let row = from; row < to; row++) {
      const x = Math.max(0, Math.ceil(ax + (row + 0.5 - ay) * slope - 0.5));
      if (x < this.width) this.turned[row * this.width + x] = 1 - (this.turned[row * this.width + x] as number);
    }
  }

  /** Whether a device pixel lies within, for every pixel, row by row. */
  inside(): Uint8Array {
    const out = new Uint8Array(this.turned.length);
    for (let row = 0, at = 0; row < this.height; row++) {
      let within = 0;
      for (let x = 0; x < this.width; x++, at++) {
        within ^= this.turned[at] as number;
        out[at] = within;
      }
    }
    return out;
  }

  /** Paints the area in a colour as faint as `alpha` over what the canvas shows. */
  paint(ctx: CanvasRenderingContext2D, colour: string, alpha: number): void {
    if (this.width === 0 || this.height === 0) return;
    const pixels = new Uint8ClampedArray(this.width * this.height * 4);
    const inside = this.inside();
    for (let i = 0; i < inside.length; i++) if (inside[i]) pixels[i * 4 + 3] = 255;
    ctx.globalAlpha = alpha;
    paintMask(ctx, pixels, this.width, this.height, this.size, colour);
    ctx.globalAlpha = 1;
  }
}

function paintMask(
  ctx: CanvasRenderingContext2D,
  pixels: Uint8ClampedArray<ArrayBuffer>,
  width: number,
  height: number,
  size: Size,
  colour: string,
): void {
  const layer = document.createElement('canvas');
  layer.width = width;
  layer.height = height;
  const draw = layer.getContext('2d');
  if (!draw) return;
  draw.putImageData(new ImageData(pixels, width, height), 0, 0);
  draw.globalCompositeOperation = 'source-in';
  draw.fillStyle = colour;
  draw.fillRect(0, 0, width, height);
  ctx.drawImage(layer, 0, 0, size.width, size.height);
}
