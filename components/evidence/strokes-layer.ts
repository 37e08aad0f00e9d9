import { drawStrokes, type Strokes } from './draw-strokes';
import { type LayerPicture, planLayer } from './layer-plan.model';

/**
 * Keeps a picture of the strokes beside the canvas: while a pane is panned, or painted again for a mark, the picture is
 * moved: projecting a million vertices for each frame took 24 ms of the page's thread, moving the picture 2 ms.
 */
export class StrokesLayer {
  private canvas: HTMLCanvasElement | null = null;
  private picture: (LayerPicture & Pick<Strokes, 'scene' | 'ratio' | 'palette' | 'bad_strokes'>) | null = null;
  private squares: number[] = [];

  /** Places of the squares as `drawStrokes` answers them; not `exact`: up to half a pixel aside, or without squares. */
  draw(ctx: CanvasRenderingContext2D, drawing: Strokes): { squares: number[]; exact: boolean } {
    const { view, size, ratio, scene, palette, bad_strokes } = drawing;
    const known = this.picture;
    const same =
      known?.scene === scene && known.ratio === ratio && known.palette === palette && known.bad_strokes === bad_strokes;
    const plan = planLayer(same ? known : null, view, size);
    if (plan.kind === 'show') {
      this.show(ctx, ratio, plan.dx, plan.dy);
      return { squares: plan.exact ? this.squares : [], exact: plan.exact };
    }
    const { margin } = plan;
    const whole = { width: size.width + 2 * margin.width, height: size.height + 2 * margin.height };
    const own = this.cleared(Math.round(whole.width * ratio), Math.round(whole.height * ratio));
    if (!own) return { squares: drawStrokes(ctx, drawing).squares, exact: true };
    own.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { squares, near } = drawStrokes(own, { ...drawing, size: whole });
    this.picture = { view, size, margin, near, scene, ratio, palette, bad_strokes };
    this.squares = squares;
    this.show(ctx, ratio, 0, 0);
    return margin.width === 0 ? { squares, exact: true } : { squares: [], exact: false };
  }

  /** The next drawing is made anew, exactly for its pane. */
  settle(): void {
    this.picture = null;
  }

  /** On whole device pixels: between them the picture would be blurred. */
  private show(ctx: CanvasRenderingContext2D, ratio: number, dx: number, dy: number): void {
    if (!this.canvas || !this.picture) return;
    const { margin } = this.picture;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(this.canvas, Math.round((dx - margin.width) * ratio), Math.round((dy - margin.height) * ratio));
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  private cleared(width: number, height: number): CanvasRenderingContext2D | null {
    this.canvas ??= document.createElement('canvas');
    // a size that is set clears the canvas, and makes it anew: the same one is only wiped
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const own = this.canvas.getContext('2d');
    own?.setTransform(1, 0, 0, 1, 0, 0);
    own?.clearRect(0, 0, width, height);
    return own;
  }
}
