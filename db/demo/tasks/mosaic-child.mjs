import { readFile } from 'node:fs/promises';
import { fromArrayBuffer } from 'geotiff';

/** Usage: mosaic-child.mjs COLS ROWS STRIP_ROWS FILE…; prints the mean. Holds one strip of the mosaic at a time. */
const [cols, rows, stripRows] = process.argv.slice(2, 5).map(Number);

const rasters = [];
for (const file of process.argv.slice(5)) {
  const bytes = await readFile(file);
  const tiff = await fromArrayBuffer(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const image = await tiff.getImage();
  const [values] = await image.readRasters();
  rasters.push({ values, width: image.getWidth(), height: image.getHeight() });
}

let sum = 0;
for (let top = 0; top < rows; top += stripRows) {
  const strip = [];
  for (let row = top; row < Math.min(rows, top + stripRows); row += 1) {
    const line = [];
    for (let col = 0; col < cols; col += 1) {
      const { values, width, height } = rasters[Math.floor((col / cols) * rasters.length)];
      line.push(values[Math.floor((row / rows) * height) * width + Math.floor((col / cols) * width)] + 0.5);
    }
    strip.push(line);
  }
  for (const line of strip) for (const value of line) sum += value;
}
process.stdout.write(String(sum / (cols * rows)));
