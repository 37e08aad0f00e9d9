import { describe, expect, test } from 'vitest';
import { captureLine } from '@/lib/capture/capture-line';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const line = (capture_id?: () => string) =>
  captureLine(
    new Error('x'),
    { work_key: 'k' },
    { url: 'http://127.0.0.1:1', ...(capture_id ? { capture_id } : {}) },
    't',
  );

describe('the id of a capture', () => {
  test('is drawn anew for each, and stands in its line', () => {
    const [one, other] = [line(), line()];
    expect(one.capture_id).toMatch(UUID);
    expect(JSON.parse(one.line).capture_id).toBe(one.capture_id);
    expect(other.capture_id).not.toBe(one.capture_id);
  });

  test('is the given one, so that a run that is repeated counts once', () => {
    const given = '0b8f9a52-1c2d-8e3f-8a4b-5c6d7e8f9a0b';
    expect(line(() => given)).toMatchObject({ capture_id: given });
  });

  test('is drawn where the given one is none, or cannot be had: a capture never fails for it', () => {
    expect(line(() => 'seven').capture_id).toMatch(UUID);
    const throwing = () => {
      throw new Error('no id');
    };
    expect(line(throwing).capture_id).toMatch(UUID);
  });
});
