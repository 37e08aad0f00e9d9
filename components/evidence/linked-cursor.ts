import type { CursorTransform } from '@/lib/crs/cursor-link';

type Place = readonly [number, number];

/**
 * Where the pointer of one pane is in the other. Kept outside React: a pointer moves sixty times a second, and only two
 * marks follow it.
 */
export class LinkedCursor {
  /** Null while no checked transform is loaded: then nothing is shown. */
  transform: CursorTransform | null = null;
  /** The pointer over the map, in source units. */
  in_source: Place | null = null;
  /** The pointer over the source pane, as lon,lat. */
  on_map: Place | null = null;
  readonly #listeners = new Set<() => void>();

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  overSource(place: Place | null): void {
    this.#show(null, place && (this.transform?.toLonLat(place) ?? null));
  }

  overMap(place: Place | null): void {
    this.#show(place && (this.transform?.fromLonLat(place) ?? null), null);
  }

  #show(in_source: Place | null, on_map: Place | null): void {
    if (this.in_source === null && this.on_map === null && in_source === null && on_map === null) return;
    this.in_source = in_source;
    this.on_map = on_map;
    for (const listener of this.#listeners) listener();
  }
}
