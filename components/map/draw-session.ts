import type { Map as MapLibreMap } from 'maplibre-gl';
import { TerraDraw, type TerraDrawChanges, TerraDrawPolygonMode, TerraDrawSelectMode } from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import type { LonLat } from '@/lib/contract/area-polygon';
import { nearRing, ringOfDrawing } from './draw-area';
import { PALETTES, type Theme } from './palette';

/** Before the ids of what terra-draw adds to the map. */
export const DRAWN_PREFIX = 'drawing';
const POLYGON = 'polygon';
const SELECT = 'select';

/**
 * terra-draw takes longitudes within ±180 only: it works with those from `origin` on, so that an area over 180° can be
 * drawn where the map shows it in one piece.
 */
class TurnedAdapter extends TerraDrawMapLibreGLAdapter<MapLibreMap> {
  readonly #origin: number;

  constructor(map: MapLibreMap, origin: number) {
    super({ map, prefixId: DRAWN_PREFIX });
    this.#origin = origin;
  }

  override unproject(x: number, y: number): { lng: number; lat: number } {
    const { lng, lat } = super.unproject(x, y);
    return { lng: Math.max(-180, Math.min(180, lng - this.#origin)), lat };
  }

  override project(lng: number, lat: number): { x: number; y: number } {
    return super.project(lng + this.#origin, lat);
  }

  override render(
    changes: TerraDrawChanges,
    styling: Parameters<TerraDrawMapLibreGLAdapter<MapLibreMap>['render']>[1],
  ) {
    const turn = (coordinates: unknown): unknown =>
      Array.isArray(coordinates) && typeof coordinates[0] === 'number'
        ? [coordinates[0] + this.#origin, coordinates[1]]
        : (coordinates as unknown[]).map(turn);
    const turned = (features: TerraDrawChanges['created']): TerraDrawChanges['created'] =>
      features.map((feature) => ({
        ...feature,
        geometry: { ...feature.geometry, coordinates: turn(feature.geometry.coordinates) } as typeof feature.geometry,
      }));
    super.render(
      {
        ...changes,
        created: turned(changes.created),
        updated: turned(changes.updated),
        unchanged: turned(changes.unchanged),
      },
      styling,
    );
  }
}

/** One area being drawn or changed on the map. Leaves nothing behind once it is stopped. */
export class DrawSession {
  readonly #draw: TerraDraw;
  readonly #origin: number;
  #edited: string | number | null = null;

  /** `onDrawn` gets the corners once the ring is closed; it may be told why the filter would not take them. */
  constructor(map: MapLibreMap, theme: Theme, onDrawn: (drawn: { ring: LonLat[]; problem: string | null }) => void) {
    // whole degrees, so that nothing is rounded on the way there and back
    this.#origin = Math.round(map.getCenter().lng);
    const { accent, raised } = PALETTES[theme] as { accent: `#${string}`; raised: `#${string}` };
    const fill = { fillColor: accent, fillOpacity: 0.1, outlineColor: accent, outlineWidth: 2 };
    const corner = { Color: raised, OutlineColor: accent, OutlineWidth: 2, Width: 5 };
    const points = (name: string) =>
      Object.fromEntries(Object.entries(corner).map(([part, value]) => [`${name}${part}`, value]));
    const selected = Object.fromEntries(
      Object.entries(fill).map(([part, value]) => [`selectedPolygon${part[0]?.toUpperCase()}${part.slice(1)}`, value]),
    );
    this.#draw = new TerraDraw({
      adapter: new TurnedAdapter(map, this.#origin),
      modes: [
        new TerraDrawPolygonMode({ styles: { ...fill, ...points('closingPoint') }, pointerDistance: 16 }),
        new TerraDrawSelectMode({
          pointerDistance: 16,
          allowManualDeselection: false,
          flags: {
            polygon: {
              feature: { draggable: true, coordinates: { midpoints: true, draggable: true, deletable: true } },
            },
          },
          styles: { ...selected, ...points('selectionPoint'), ...points('midPoint'), midPointWidth: 3 },
        }),
      ],
    });
    this.#draw.on('finish', (id, { action }) => {
      if (action === 'draw') onDrawn(this.#ringOf(id));
    });
    this.#draw.start();
  }

  begin(): void {
    this.#draw.clear();
    this.#draw.setMode(POLYGON);
  }

  /** Puts a ring in to be changed; false where it does not fit on the map in one piece. */
  edit(ring: readonly LonLat[]): boolean {
    const near = nearRing(ring, this.#origin).map(([lon, lat]): LonLat => [lon - this.#origin, lat]);
    const first = near[0];
    if (!first) return false;
    const [added] = this.#draw.addFeatures([
      {
        type: 'Feature',
        properties: { mode: POLYGON },
        geometry: {
          type: 'Polygon',
          coordinates: [[...near, first].map(([lon, lat]) => [precise(lon), precise(lat)])],
        },
      },
    ]);
    if (!added?.valid || added.id === undefined) return false;
    this.#draw.selectFeature(added.id, SELECT);
    this.#edited = added.id;
    return true;
  }

  /** The ring as it was changed, or null while none is. */
  edited(): { ring: LonLat[]; problem: string | null } | null {
    return this.#edited === null ? null : this.#ringOf(this.#edited);
  }

  stop(): void {
    if (this.#draw.enabled) this.#draw.stop();
  }

  #ringOf(id: string | number): { ring: LonLat[]; problem: string | null } {
    const geometry = this.#draw.getSnapshotFeature(id)?.geometry;
    const outer = geometry?.type === 'Polygon' ? (geometry.coordinates[0] ?? []) : [];
    return ringOfDrawing(outer.map(([lon = 0, lat = 0]) => [lon + this.#origin, lat]));
  }
}

/** terra-draw takes at most nine decimals. */
const precise = (value: number) => Math.round(value * 1e9) / 1e9;
