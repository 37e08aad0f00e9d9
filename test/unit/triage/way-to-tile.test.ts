import { describe, expect, it } from 'vitest';
import { wayToTile } from '@/components/triage/way-to-tile.model';

describe('the first look at a linked entry', () => {
  const tile = { z: 14, x: 4436, y: 6197 };

  it('holds its place and its tile with room around', () => {
    const [west, south, east, north] = wayToTile({ position: [-65.5, 43.7], tile, distance_m: 1_462_000 })!;
    expect(west).toBeLessThan(-82.6);
    expect(east).toBeGreaterThan(-65.5);
    expect(south).toBeLessThan(40);
    expect(north).toBeGreaterThan(43.7);
  });

  it('goes the short way over 180°', () => {
    const box = wayToTile({ position: [178, 10], tile: { z: 5, x: 0, y: 15 }, distance_m: 1 })!;
    expect(box[0]).toBeGreaterThan(box[2]);
  });

  it('is nothing of its own for an entry in its tile, without one, or without a place', () => {
    expect(wayToTile({ position: [1, 2], tile, distance_m: 0 })).toBeNull();
    expect(wayToTile({ position: [1, 2], tile: null, distance_m: null })).toBeNull();
    expect(wayToTile({ position: null, tile, distance_m: null })).toBeNull();
  });
});
