import { describe, expect, it } from 'vitest';
import { visibleText } from '@/components/evidence/visible-text.model';

describe('a text of somebody else', () => {
  it('shows what would not be seen: marks of direction, characters without width, controls', () => {
    expect(visibleText('EPSG:\u202E6234')).toBe('EPSG:⟨U+202E⟩6234');
    expect(visibleText('EPSG\u200B:4326\u0007')).toBe('EPSG⟨U+200B⟩:4326⟨U+0007⟩');
    expect(visibleText('\uD800')).toBe('⟨U+D800⟩');
  });

  it('is otherwise as it came', () => {
    const wkt = 'GEOGCS["WGS 84",\n\tDATUM["Länge – 東京 😀"]]';
    expect(visibleText(wkt)).toBe(wkt);
  });
});
