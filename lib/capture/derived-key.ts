import { SIZE_RULE_BYTES } from '../dead-letter/size-rule';
import { columnText } from './error-evidence';
import type { GeometryPart } from './geometry';
import { jsonText } from './params-json';
import { sha256Of } from './spool-line';

/** From the key where there was one that is no key (too long, no text), else from the payload. */
export function derivedKey(
  taskName: string,
  geometry: GeometryPart | null,
  params: string | undefined,
  key: unknown,
): string {
  const none = key === undefined || key === null || key === '';
  const of = none ? `[${geometryText(geometry)},${JSON.stringify(params ?? '')}]` : jsonText([key]).text;
  const hash = sha256Of(Buffer.from(of));
  return `${columnText(taskName).slice(0, 500) || 'anonymous'}/unkeyed/${hash.slice(0, 32)}`;
}

function geometryText(geometry: GeometryPart | null): string {
  if (geometry === null) return '{}';
  const large = geometry.size_bytes > SIZE_RULE_BYTES;
  const json = large ? `"sha256:${sha256Of(geometry.bytes())}"` : geometry.json();
  return `{"geom_${geometry.geom_format}":${json}}`;
}
