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
    const layer = document.createElement('canvas');
    layer.width = this.width;
    layer.height = this.height;
    const draw = layer.getContext('2d');
    if (!draw) return;
    draw.putImageData(new ImageData(this.pixels, this.width, this.height), 0, 0);
    draw.globalCompositeOperation = 'source-in';
    draw.fillStyle = colour;
    draw.fillRect(0, 0, this.width, this.height);
    ctx.drawImage(layer, 0, 0, this.size.width, this.size.height);
  }
}

/** Flat x, y without the points nearer than `least` pixels to the last one kept: for an area that is drawn faintly. */
export function thinned(run: readonly number[], least: number): number[] {
  const out: number[] = [];
  for (let i = 0; i < run.length; i += 2) {
    const dx = (run[i] as number) - (out.at(-2) ?? Infinity);
    const dy = (run[i + 1] as number) - (out.at(-1) ?? Infinity);
    if (i + 2 < run.length && dx * dx + dy * dy < least * least) continue;
    out.push(run[i] as number, run[i + 1] as number);
  }
  return out;
}
