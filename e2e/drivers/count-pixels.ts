import type { Page } from 'playwright';

/** How far a channel may be off: antialiasing and the compositor's rounding. */
const TOLERANCE = 3;

/** Counts pixels of one colour in a PNG. It is decoded on a blank page: the app's own policy forbids data: requests. */
export async function countPixels(page: Page, png: Buffer, rgb: readonly [number, number, number]): Promise<number> {
  const blank = await page.context().newPage();
  try {
    return await blank.evaluate(
      async ({ base64, wanted, tolerance }) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        if (!context) throw new Error('no 2D canvas');
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4)
          if (wanted.every((value, channel) => Math.abs((data[at + channel] ?? 0) - value) <= tolerance)) found += 1;
        return found;
      },
      { base64: png.toString('base64'), wanted: [...rgb], tolerance: TOLERANCE },
    );
  } finally {
    await blank.close();
  }
}
