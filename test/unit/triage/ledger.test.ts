import { describe, expect, it } from 'vitest';
import { filterInView, ledgerOf, reasonsThatFit, sideOfView } from '@/components/triage/ledger.model';

describe('the ledger under the map', () => {
  it('adds up to the total whatever the view holds', () => {
    for (const inView of [0, 508, 3_729, 9_999]) {
      const ledger = ledgerOf(3_994, 265, inView)!;
      expect(ledger.in_view + ledger.outside + ledger.not_mapped).toBe(3_994);
      expect(ledger.outside).toBeGreaterThanOrEqual(0);
    }
  });

  it('is not known before the view was counted', () => {
    expect(ledgerOf(10, 1, null)).toBeNull();
  });

  it('names the side on which everything outside must lie, and none when there are two', () => {
    expect(sideOfView([-80, 10, -60, 40], [-85, 30, -55, 50])).toBe('south');
    expect(sideOfView([-80, 10, -40, 40], [-85, 30, -55, 50])).toBeNull();
    expect(sideOfView(null, [-85, 30, -55, 50])).toBeNull();
  });
});

describe('the reasons in the line', () => {
  const reasons = ['no geometry 338', 'to infinity 225', 'unreadable bytes 86', 'no CRS 46'];

  it('all stand there when there is room', () => {
    expect(reasonsThatFit(reasons, ['20 in view'], 900)).toBe(4);
  });

  it('fold from the end, whole, and leave room for the button that holds the rest', () => {
    expect(reasonsThatFit(reasons, ['20 in view'], 400)).toBe(2);
    expect(reasonsThatFit(reasons, ['20 in view'], 100)).toBe(0);
  });
});

describe('the count in view', () => {
  it('asks for the view as a box where the filter has none', () => {
    expect(filterInView({ state: ['open'] }, [-10, -5, 10, 5])).toEqual({ state: ['open'], bbox: [-10, -5, 10, 5] });
  });

  it('cuts the view with the box of the filter', () => {
    expect(filterInView({ bbox: [0, 0, 20, 20] }, [-10, -5, 10, 5])?.bbox).toEqual([0, 0, 10, 5]);
    expect(filterInView({ bbox: [30, 0, 40, 20] }, [-10, -5, 10, 5])).toBeNull();
  });

  it('cuts boxes that cross 180° without losing the crossing', () => {
    expect(filterInView({ bbox: [170, -10, -170, 10] }, [175, -5, -150, 5])?.bbox).toEqual([175, -5, -170, 5]);
  });

  it('asks for nothing where the two meet in two boxes', () => {
    expect(filterInView({ bbox: [100, -10, -100, 10] }, [-180, -5, 180, 5])?.bbox).toEqual([100, -5, -100, 5]);
    expect(filterInView({ bbox: [100, -10, -100, 10] }, [-120, -5, 120, 5])).toBeUndefined();
  });
});
