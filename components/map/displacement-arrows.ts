import type { DisplacementGroup } from '@/lib/contract/displacement';
import { displacementFeatures } from './displacement';
import { DISPLACEMENT_SOURCE } from './displacement-style';
import type { MapController } from './map-controller';

/** The ways of groups to their tiles on the map: which arrows are long enough changes with the zoom. */
export class DisplacementArrows {
  readonly #base: MapController;
  #groups: readonly DisplacementGroup[] = [];
  #drawn = '';

  constructor(base: MapController) {
    this.#base = base;
    base.map.on('zoomend', () => this.#draw());
  }

  /** None takes them away. */
  show(groups: readonly DisplacementGroup[]): void {
    this.#groups = groups;
    this.#draw();
  }

  /** The same ones are not set again. */
  #draw(): void {
    const features = displacementFeatures(this.#groups, this.#base.map.getZoom());
    const text = JSON.stringify(features);
    if (text === this.#drawn) return;
    this.#drawn = text;
    this.#base.setData(DISPLACEMENT_SOURCE, features);
  }
}
