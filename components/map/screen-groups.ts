import { TILE_LAYERS } from '@/lib/contract/triage';
import { ENTRY_SOURCES, type TileSource, tileLayerIds } from './entry-style';
import { entryOfFeature, groupOfCell, groupOfStack, type HoveredGroup } from './hovered';
import type { MapController } from './map-controller';
import { type ScreenMark, type Stack, stackFeatures, stacksOf } from './stacks';

/** A cell or stack in view. */
export type GroupInView = HoveredGroup & { position: [number, number] };

/** From this zoom on entries are drawn one by one. */
const MARKS_ZOOM = 12;

/** What of the drawn tiles belongs together on the screen: marks that lie on one another, and the groups as a list. */
export class ScreenGroups {
  readonly #base: MapController;
  readonly #told: (groups: GroupInView[]) => void;
  #stacks: Stack[] = [];
  /** The source whose marks the stacks are of. */
  #source: TileSource | null = null;

  /** `told` is given the groups, the largest first. */
  constructor(base: MapController, told: (groups: GroupInView[]) => void) {
    this.#base = base;
    this.#told = told;
  }

  /** The stack of a feature that `stackFeatures` made. */
  stackOf({ properties }: { properties: Record<string, unknown> }): Stack | null {
    return this.#stacks[Number(properties.index)] ?? null;
  }

  /** Reads the screen anew, of what is drawn. */
  read(source: TileSource): void {
    const { map } = this.#base;
    if (!map.getLayer(tileLayerIds(source).marks)) return;
    const closer = map.getZoom() >= MARKS_ZOOM;
    this.#show(source, closer ? stacksOf(this.#marks(source)) : []);
    const stacks = this.#stacks.map((stack): GroupInView => {
      const [lon, lat] = stack.position;
      return { ...groupOfStack(stack), position: [lon, lat] };
    });
    this.#told([...(closer ? [] : this.#cells(source)), ...stacks].sort((a, b) => b.total - a.total));
  }

  /** In the order of their ids, so that the same marks make the same stacks. */
  #marks(source: TileSource): ScreenMark[] {
    const { map } = this.#base;
    const marks = new Map<string, ScreenMark>();
    for (const feature of map.queryRenderedFeatures({ layers: [tileLayerIds(source).marks] })) {
      if (feature.geometry.type !== 'Point') continue;
      const [lon, lat] = feature.geometry.coordinates as [number, number];
      const { x, y } = map.project([lon, lat]);
      const entry = entryOfFeature(feature);
      marks.set(entry.id, { ...entry, x, y, position: [lon, lat] });
    }
    return [...marks.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** A cell that the world's copies repeat counts once. */
  #cells(source: TileSource): GroupInView[] {
    const cells = new Map<string, GroupInView>();
    for (const feature of this.#base.map.queryRenderedFeatures({ layers: tileLayerIds(source).cells })) {
      if (feature.geometry.type !== 'Point') continue;
      const position = feature.geometry.coordinates as [number, number];
      cells.set(String(feature.properties.cell), { ...groupOfCell(feature.properties), position });
    }
    return [...cells.values()];
  }

  #show(source: TileSource, stacks: Stack[]): void {
    const ids = stacks.flatMap((stack) => stack.ids);
    const before = this.#stacks.flatMap((stack) => stack.ids);
    const same = this.#source === source;
    if (same && ids.join() === before.join()) return;
    const { map } = this.#base;
    const member = (id: string) => ({ source, sourceLayer: TILE_LAYERS.points, id });
    // the former source goes, and what it knew of its marks with it
    if (same) for (const id of before) map.removeFeatureState(member(id), 'stacked');
    for (const id of ids) map.setFeatureState(member(id), { stacked: true });
    this.#stacks = stacks;
    this.#source = source;
    this.#base.setData(ENTRY_SOURCES.stacks, stackFeatures(stacks));
  }
}
