import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';

/** A tile as MapLibre's own reader decodes it: per layer its extent, and its features in their order. */
export function decodeMvt(bytes: Uint8Array) {
  const { layers } = new VectorTile(new PbfReader(bytes));
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      {
        extent: layer.extent,
        version: layer.version,
        features: Array.from({ length: layer.length }, (_, i) => {
          const feature = layer.feature(i);
          const rings = feature.loadGeometry().map((ring) => ring.map(({ x, y }) => [x, y]));
          return { id: feature.id, type: feature.type, properties: { ...feature.properties }, rings };
        }),
      },
    ]),
  );
}
