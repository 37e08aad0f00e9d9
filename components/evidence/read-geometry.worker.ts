import { readScene } from './read-scene';
import { buffersOf } from './scene.model';

/** Takes a geometry's hex, answers its scene (or null). The page stays free while a million vertices are read. */
self.onmessage = ({ data }: MessageEvent<string>) => {
  const scene = readScene(data);
  self.postMessage(scene, { transfer: scene ? buffersOf(scene) : [] });
};
