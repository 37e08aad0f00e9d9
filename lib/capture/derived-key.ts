import { createHash } from 'node:crypto';
import { SIZE_RULE_BYTES } from '../dead-letter/size-rule';
import { columnText } from './error-evidence';
import type { GeometryPart } from './geometry';
import { jsonText } from './params-json';

/** From the key where there was one that is no key (too long, no text), else from the payload. */
export function derivedKey(
  taskName: string,
  geometry: GeometryPart | null,
  params: string | undefined,
  key: unknown,
): string {
  const none = key === undefined || key === null || key === '';
  const of = none ? `[${geometryText(geometry)},${JSON.stringify(params ?? '')}]` : jsonText([key]).text;
  const hash = createHash('sha256').update(of).digest('hex');
  return `${columnText(taskName).slice(0, 500) || 'anonymous'}/unkeyed/${hash.slice(0, 32)}`;
}

function geometryText(geometry: GeometryPart | null): string {
  if (geometry === null) return '{}';
  const large = geometry.size_bytes > SIZE_RULE_BYTES;
  const json = large ? `"sha256:${createHash('sha256').update(geometry.bytes()).digest('hex')}"` : geometry.json();
  return `{"geom_${geometry.geom_format}":${json}}`;
}
