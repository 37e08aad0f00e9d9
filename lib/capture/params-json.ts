import { hexOf } from './hex';

/** JSON text that keeps what JSON can hold, and by JSON Pointer the name of every value it could not. */
export interface JsonText {
  text: string;
  replaced: Record<string, string>;
}

/** Deeper than any real params; a value below is named, not followed, so that the stack holds. */
const MAX_DEPTH = 200;
/** A shared object met along many paths is written out each time; this bounds that growth. */
const MAX_VALUES = 1_000_000;

/**
 * JSON text of any value; never throws, whatever the value is or does.
 *
 * Kept: finite numbers to the last bit (−0 too), text with NUL and lone surrogates (as escapes), member order. A member
 * that is undefined is left out, as JSON does. Everything else is written as the nearest JSON value and named in
 * `replaced`: NaN, infinities, BigInt, Date, Map, Set, bytes, typed arrays, functions, symbols, instances of classes,
 * cycles, getters that throw, and what lies beyond the depth and size that a payload may have.
 */
export function jsonText(value: unknown, most = MAX_VALUES): JsonText {
  const replaced: Record<string, string> = Object.create(null);
  const open = new Map<object, string>();
  let values = 0;

  function instead(path: string, was: string, json: string): string {
    replaced[path] = was;
    return json;
  }

  function write(item: unknown, path: string, depth: number): string | undefined {
    values += 1;
    if (values > most) return instead(path, `beyond ${most} values`, 'null');
    if (item === null || item === true || item === false) return String(item);
    if (typeof item === 'string') return JSON.stringify(item);
    if (typeof item === 'number') {
      if (Object.is(item, -0)) return '-0';
      return Number.isFinite(item) ? String(item) : instead(path, String(item), 'null');
    }
    if (item === undefined) return undefined;
    if (typeof item === 'bigint') return instead(path, 'bigint', `"${item}"`);
    if (typeof item === 'symbol') return instead(path, 'symbol', JSON.stringify(String(item)));
    if (typeof item === 'function') return instead(path, 'function', 'null');
    return writeObject(item as object, path, depth);
  }

  function writeObject(item: object, path: string, depth: number): string {
    if (depth > MAX_DEPTH) return instead(path, `deeper than ${MAX_DEPTH}`, 'null');
    const seen = open.get(item);
    if (seen !== undefined) return instead(path, `cycle to ${seen || '/'}`, 'null');
    open.set(item, path);
    try {
      return writeOpened(item, path, depth);
    } catch (error) {
      return instead(path, `unreadable: ${reasonOf(error)}`, 'null');
    } finally {
      open.delete(item);
    }
  }

  function writeOpened(item: object, path: string, depth: number): string {
    if (Array.isArray(item)) return list(item, path, depth);
    if (item instanceof Date) {
      const valid = Number.isFinite(item.getTime());
      return instead(path, valid ? 'Date' : 'Date (invalid)', valid ? JSON.stringify(item.toISOString()) : 'null');
    }
    if (item instanceof Map) return instead(path, 'Map', list([...item], path, depth));
    if (item instanceof Set) return instead(path, 'Set', list([...item], path, depth));
    if (item instanceof ArrayBuffer) return instead(path, 'ArrayBuffer (hex)', `"${hexOf(new Uint8Array(item))}"`);
    if (ArrayBuffer.isView(item)) return view(item, path, depth);
    if (item instanceof RegExp) return instead(path, 'RegExp', JSON.stringify(String(item)));
    if (item instanceof Error) return instead(path, item.name, JSON.stringify(`${item.name}: ${item.message}`));
    const made = constructorName(item);
    const toJson: unknown = Reflect.get(item, 'toJSON');
    if (typeof toJson === 'function') {
      replaced[path] = made ?? 'toJSON';
      return write(toJson.call(item, ''), path, depth + 1) ?? 'null';
    }
    if (made) replaced[path] = made;
    return members(item, path, depth);
  }

  function view(item: ArrayBufferView, path: string, depth: number): string {
    const name = constructorName(item) ?? 'bytes';
    if (Symbol.iterator in item && !(item instanceof Uint8Array)) {
      return instead(path, name, list([...(item as unknown as Iterable<unknown>)], path, depth));
    }
    return instead(path, `${name} (hex)`, `"${hexOf(new Uint8Array(item.buffer, item.byteOffset, item.byteLength))}"`);
  }

  function list(items: readonly unknown[], path: string, depth: number): string {
    const parts: string[] = [];
    for (let i = 0; i < items.length && values <= most; i += 1) {
      const at = `${path}/${i}`;
      parts.push(member(items, i, at, depth) ?? instead(at, 'undefined', 'null'));
    }
    return `[${parts.join(',')}]`;
  }

  function members(item: object, path: string, depth: number): string {
    const parts: string[] = [];
    for (const key of Object.keys(item)) {
      const text = member(item, key, `${path}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`, depth);
      if (text !== undefined) parts.push(`${JSON.stringify(key)}:${text}`);
    }
    return `{${parts.join(',')}}`;
  }

  function member(of: object, key: string | number, path: string, depth: number): string | undefined {
    let item: unknown;
    try {
      item = Reflect.get(of, key);
    } catch (error) {
      return instead(path, `getter threw: ${reasonOf(error)}`, 'null');
    }
    return write(item, path, depth + 1);
  }

  const text = write(value, '', 0) ?? 'null';
  return { text, replaced };
}

/** The class of an instance; undefined for plain objects, also those of another realm or without a prototype. */
function constructorName(item: object): string | undefined {
  const prototype: object | null = Object.getPrototypeOf(item);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  const name: unknown = item.constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'instance';
}

function reasonOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'unknown';
  }
}
