import { readScene } from './read-scene';
import { buffersOf, type Scene } from './scene.model';

/** What comes back: the bytes too, for they were handed over. */
export type ReadGeometry = { scene: Scene; bytes: Uint8Array<ArrayBuffer> };

/** Takes a geometry's bytes, answers their scene. The page stays free while a million vertices are read. */
self.onmessage = ({ data: bytes }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  const scene = readScene(bytes);
  self.postMessage({ scene, bytes } satisfies ReadGeometry, { transfer: [bytes.buffer, ...buffersOf(scene)] });
};
self.postMessage('ready');
