import { describe, expect, it } from 'vitest';
import { arrivalsText } from '@/components/triage/arrivals.model';
import {
  errorLine,
  faultTitle,
  foldedText,
  foldNumbers,
  keyTitle,
  shortenMiddle,
  shownKey,
} from '@/components/triage/entry-text.model';
import { faultRows } from '@/components/triage/facet.model';
import { keyCommand } from '@/components/triage/keys.model';
import { kilometresText } from '@/components/ui/number-text';

describe('the error in a row', () => {
  it('has its numbers folded and keeps codes', () => {
    expect(foldNumbers('bounds (2184435.8, 645846.0, 2184705.8, 646093.8) lie outside area of use of EPSG:32122')).toBe(
      'bounds … lie outside area of use of EPSG:32122',
    );
    expect(foldNumbers('GET https://dem.example/3dep/n40w083: no answer in 30 s, 4 tries')).toBe(
      'GET https://dem.example/3dep/n40w083: no answer in … s, … tries',
    );
  });

  it('folds a tile, a size and what a signature left of numbers to one sign', () => {
    expect(foldNumbers('bounds -78.79 38.75 -78.78 38.76 miss tile 14/4333/6276 by 520 km')).toBe(
      'bounds … miss tile … by … km',
    );
    expect(foldNumbers('lies outside a raster of 96×96')).toBe('lies outside a raster of …');
    expect(foldedText('bounds # miss tile #<path> by # km')).toBe('bounds … miss tile … by … km');
    expect(foldedText('between LINESTRING (#) and LINESTRING (#) [ (#) ]')).toBe(
      'between LINESTRING … and LINESTRING …',
    );
  });

  it('is the first line, or the type where there is no text', () => {
    expect(errorLine('ValueError', 'bad\nworse')).toEqual({ short: 'bad', full: 'ValueError: bad\nworse' });
    expect(errorLine('MemoryError', null).short).toBe('MemoryError');
  });

  it('keeps both ends of a long key', () => {
    expect(shortenMiddle('parcels/39/035/a-very-long-county-name/88213', 21)).toBe('parcels/39…name/88213');
  });
});

describe('what waits behind the pill', () => {
  it('is said as new, more or fewer, and not at all without a change', () => {
    expect(arrivalsText({ fresh: 12, at_least: false, delta: 3 })).toBe('12 new');
    expect(arrivalsText({ fresh: 100, at_least: true, delta: 400 })).toBe('100+ new');
    expect(arrivalsText({ fresh: 0, at_least: false, delta: -40 })).toBe('40 fewer');
    expect(arrivalsText({ fresh: 0, at_least: false, delta: 0 })).toBeNull();
  });
});

describe('keys', () => {
  it('go to a page after g, and only then', () => {
    expect(keyCommand('o', 'g', true)).toBe('go_operations');
    expect(keyCommand('o', null, true)).toBeNull();
  });

  it('leave Escape and ? when single letters are off', () => {
    expect(['j', 'r', '/', 'Escape', '?'].map((key) => keyCommand(key, null, false))).toEqual([
      null,
      null,
      null,
      'back',
      'show_keys',
    ]);
  });
});

describe('the faults of a row', () => {
  it('are named with their number in the title', () => {
    expect(faultTitle({ fault_codes: ['spike', 'curve'], fault_count: 1200 })).toBe('1,200 faults: spike, curve');
    expect(faultTitle({ fault_codes: [], fault_count: 0 })).toBe('no fault found');
  });
});

describe('the facet of faults', () => {
  it('keeps what is ticked, and says of capped counts that they are lower bounds', () => {
    const facet = { values: [{ value: 'spike', count: 4 }], distinct: 1, capped: true };
    expect(faultRows(facet, { fault: ['!curve', 'spike'] })).toMatchObject([
      { value: 'spike', count: 4, share: 100, at_least: true },
      { value: 'curve', count: 0, share: 0 },
    ]);
  });
});

describe('distances', () => {
  it('are whole kilometres, with a decimal below ten', () => {
    expect([0, 49, 1_234, 1_579_400].map(kilometresText)).toEqual(['0', '0', '1.2', '1,579']);
  });
});

describe('the key of an entry', () => {
  it('is the given one, with the derived one in its title', () => {
    const own = { work_key: 'c/1', given_key: null };
    expect([shownKey(own), keyTitle(own)]).toEqual(['c/1', 'c/1']);
    const derived = { work_key: '30d3:c/1', given_key: 'c/1' };
    expect(shownKey(derived)).toBe('c/1');
    expect(keyTitle(derived)).toContain('filed under the work key 30d3:c/1');
  });
});
