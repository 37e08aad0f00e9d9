import type { ReadGeometry } from './read-geometry.worker';
import { readScene } from './read-scene';

/**
 * Reads a geometry off the page's own thread. The bytes are handed over, not before the worker stands, and come back. Where there is no worker the page
 * stands still while it is read, but it is read. @throws the signal's reason, or Error.
 */
export function readInWorker(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<ReadGeometry> {
  return new Promise((resolve, reject) => {
    const here = () => resolve({ scene: readScene(bytes), bytes });
    let worker: Worker | null = null;
    signal.addEventListener('abort', () => {
      worker?.terminate();
      reject(signal.reason);
    });
    try {
      worker = new Worker(new URL('./read-geometry.worker.ts', import.meta.url), { type: 'module' });
    } catch {
      here();
      return;
    }
    const own = worker;
    let taken = false;
    own.onmessage = ({ data }: MessageEvent<ReadGeometry | 'ready'>) => {
      if (data === 'ready') {
        taken = true;
        own.postMessage(bytes, [bytes.buffer]);
        return;
      }
      own.terminate();
      resolve(data);
    };
    own.onerror = ({ message }) => {
      own.terminate();
      if (taken) reject(new Error(message || 'the geometry could not be read'));
      else here();
    };
  });
}
