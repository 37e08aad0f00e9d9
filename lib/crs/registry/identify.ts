import type { CrsClaim } from '../claim';
import { readCodeForm } from '../code-forms';
import { horizontalPart, recordByCode } from './by-code';
import { recordByDefinition } from './by-definition';
import { recordByName } from './by-name';
import type { CrsRecord } from './registry';
import { partOf, readWktNode, type WktNode } from './wkt-node';

export interface Identified {
  record: CrsRecord;
  /** How sure: a code, the code in a definition, its name, or the same definition. */
  by: 'code' | 'wkt_id' | 'name' | 'definition';
}

/** A bound CRS in a compound one in a bound one is the most that is of use. */
const MAX_DEPTH = 4;

/**
 * The registry's record for any form of claim, or null where the registry has none. Of a compound CRS it is the
 * horizontal part, which alone places x and y. Definitions are known by their code or name, not compared with it.
 */
export function identifyClaim(claim: CrsClaim): Identified | null {
  if (claim.kind === 'srid' || claim.kind === 'authority')
    return identified(recordByCode(claim.authority, claim.code), 'code');
  if (claim.kind !== 'text') return null;
  const { text } = claim;
  if (text.startsWith('{')) return identifyJson(text);
  if (/^\+?(?:proj|title)=|^\+/.test(text)) return identified(recordByDefinition(text), 'definition');
  return identifyWkt(text, 0) ?? identifyCodes(text) ?? identifyName(text);
}

function identified(record: CrsRecord | null, by: Identified['by']): Identified | null {
  const horizontal = record && horizontalPart(record);
  return horizontal ? { record: horizontal, by } : null;
}

/** Codes combined: `EPSG:27700+5701` and `urn:ogc:def:crs,crs:EPSG::27700,crs:EPSG::5701`; the first is horizontal. */
function identifyCodes(text: string): Identified | null {
  const urn = /^urn:ogc:def:crs,crs:([^,]+),/i.exec(text)?.[1];
  const code = readCodeForm(urn ? `urn:ogc:def:crs:${urn}` : (/^([\w:]+)\s*\+\s*[\w:]+$/.exec(text)?.[1] ?? ''));
  return code ? identified(recordByCode(code.authority, code.code), 'code') : null;
}

function identifyName(text: string): Identified | null {
  const first = text.includes(' + ') ? text.slice(0, text.indexOf(' + ')) : text;
  return identified(recordByName(text) ?? recordByName(first), 'name');
}

function identifyWkt(text: string, depth: number): Identified | null {
  const node = depth < MAX_DEPTH ? readWktNode(text) : null;
  if (!node) return null;
  const id_text = partOf(node, 'ID', 'AUTHORITY');
  const id = id_text ? readWktNode(id_text)?.values : null;
  if (id?.[0] && id[1]) {
    const by_id = identified(recordByCode(id[0].toUpperCase(), id[1]), 'wkt_id');
    if (by_id) return by_id;
  }
  const inner = innerText(node);
  if (inner) return identifyWkt(inner, depth + 1);
  const record = node.name ? recordByName(node.name) : null;
  return record && isSameUnit(node, record) ? identified(record, 'name') : null;
}

/** Of a compound CRS the horizontal part, of a bound one its source. */
function innerText(node: WktNode): string | null {
  const source = partOf(node, 'SOURCECRS');
  const wrapper = source ? readWktNode(source) : /^COMP(OUNDCRS|D_CS)$/.test(node.keyword) ? node : null;
  return wrapper
    ? (wrapper.parts.find((part) => !/^(VERT|ID|USAGE|AUTHORITY)/.test(part.keyword))?.text ?? null)
    : null;
}

/** A name kept on a definition whose unit was changed names another CRS. */
function isSameUnit(node: WktNode, record: CrsRecord): boolean {
  const unit = partOf(node, 'UNIT', 'LENGTHUNIT', 'ANGLEUNIT');
  const factor = Number(unit ? readWktNode(unit)?.values[1] : Number.NaN);
  return Number.isNaN(factor) || record.unit_factor === null || Math.abs(factor / record.unit_factor - 1) < 1e-6;
}

function identifyJson(text: string): Identified | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  for (let depth = 0; depth < MAX_DEPTH && isObject(value); depth++) {
    const { id, name, components, source_crs } = value;
    if (
      isObject(id) &&
      typeof id.authority === 'string' &&
      (typeof id.code === 'number' || typeof id.code === 'string')
    ) {
      const by_id = identified(recordByCode(id.authority.toUpperCase(), id.code), 'wkt_id');
      if (by_id) return by_id;
    }
    const inner = Array.isArray(components) ? components[0] : source_crs;
    if (inner === undefined) return typeof name === 'string' ? identified(recordByName(name), 'name') : null;
    value = inner;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
