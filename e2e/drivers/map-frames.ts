import type { Page } from 'playwright';

/** What the map's canvas showed, as a number a picture: the same picture has the same number. */
interface Recorder {
  pictures: number[];
  frames: number;
}
declare global {
  interface Window {
    map_frames?: Recorder;
  }
}

/**
 * Reads the map's picture in every frame that the browser draws, so that a test sees what an eye could: a blank frame, or
 * one of two filters' tiles. To be made before the page is opened.
 */
export class MapFrames {
  private constructor(readonly page: Page) {}

  static async on(page: Page): Promise<MapFrames> {
    await page.addInitScript(() => {
      // without this a canvas may be read in the frame that draws it only
      const getContext = HTMLCanvasElement.prototype.getContext as (...args: unknown[]) => unknown;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, options?: object) {
        return getContext.call(
          this,
          kind,
          kind.startsWith('webgl') ? { ...options, preserveDrawingBuffer: true } : options,
        );
      } as typeof HTMLCanvasElement.prototype.getContext;
    });
    return new MapFrames(page);
  }

  /** Begins anew with the picture of now. */
  async record(): Promise<void> {
    await this.page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.mapbox canvas.maplibregl-canvas');
      if (!canvas) throw new Error('no map');
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      if (!copy) throw new Error('no 2D canvas');
      const recorder: Recorder = { pictures: [], frames: 0 };
      window.map_frames = recorder;
      const read = () => {
        if (window.map_frames !== recorder) return;
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        let sum = 0x811c9dc5;
        for (const pixel of new Uint32Array(data.buffer)) sum = Math.imul(sum ^ pixel, 0x01000193);
        recorder.frames += 1;
        if (recorder.pictures.at(-1) !== sum) recorder.pictures.push(sum);
        requestAnimationFrame(read);
      };
      read();
    });
  }

  /** The pictures since `record`, each once for as long as it stayed. */
  pictures(): Promise<number[]> {
    return this.page.evaluate(() => window.map_frames?.pictures ?? []);
  }

  /** Waits until so many more frames were read. */
  async pass(frames: number): Promise<void> {
    const until = await this.page.evaluate((more) => (window.map_frames?.frames ?? 0) + more, frames);
    await this.page.waitForFunction((wanted) => (window.map_frames?.frames ?? 0) >= wanted, until);
  }

  /** Waits until there is another picture than the first. */
  async changed(): Promise<void> {
    await this.page.waitForFunction(() => (window.map_frames?.pictures.length ?? 0) > 1);
  }
}
