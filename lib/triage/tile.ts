import { createHash } from 'node:crypto';
import { cellsTile, type TileAddress } from '@/db/queries/cells-tile';
import { feedTag } from '@/db/queries/feed-tag';
import { needsIds } from '@/db/queries/ids-matching';
import { outlinesTile } from '@/db/queries/outlines-tile';
import { pointsTile } from '@/db/queries/points-tile';
import { DlqError } from '@/lib/contract/error';
import { type Filter, filterToSearch } from '@/lib/contract/filter';
import { CELLS_MAX_ZOOM } from '@/lib/contract/triage';
import { indexQuestion } from './index-query';
import type { TriageContext } from './triage-context';
import { there, withIndex } from './with-index';

/** A position is known to a cell of zoom 26; deeper tiles would show the grid. */
export const MAX_TILE_ZOOM = 22;
export const OUTLINES_MIN_ZOOM = 13;

/** Part of every tag: raise it when the same data begins to make another tile. */
const TILE_FORMAT = 2;

export interface TileInput extends TileAddress {
  filter: Filter;
  /** Aborted when nobody waits for the tile any more. */
  signal?: AbortSignal;
  /** Tags of the tiles that the asker has already (If-None-Match). */
  known: readonly string[];
}

/** `mvt` is null where the asker's tile is still the right one. A tile with nothing in it has no bytes. */
export interface Tile {
  etag: string;
  mvt: Buffer | null;
}

/**
 * A vector tile of the entries that match: counted cells up to zoom 11, points from 12, outlines from 13. Its tag is that
 * of the moment that the cells and points show, or an earlier one's: a tile can be newer than its tag and never older.
 */
export async function tile(ctx: TriageContext, input: TileInput): Promise<Tile> {
  const found = await tileByIndex(ctx, input);
  // a client that has gone needs no tile from the database either
  return found ?? (input.signal?.aborted ? { etag: '', mvt: null } : tileBySql(ctx, input));
}

/** The tile as the index counts it; footprints are the database's. Null where there is no index. */
function tileByIndex(ctx: TriageContext, { z, x, y, filter, known, signal }: TileInput): Promise<Tile | null> {
  return withIndex(async (index) => {
    const { role } = ctx.actor;
    const tag = tagOf(role, filter);
    const unless = known.flatMap((one) => (one.startsWith(`W/"${tag}.`) ? [one.slice(tag.length + 4, -1)] : []));
    if (unless.length > 0 && needsIds(filter)) {
      const { revision } = there(await index.ask('revision', {}, signal));
      if (unless.includes(revision)) return { etag: etagOf(tag, revision), mvt: null };
    }
    const { query } = await indexQuestion(ctx, index, filter);
    const address = { z, x, y };
    const layer = z <= CELLS_MAX_ZOOM ? 'cells' : 'points';
    const { mvt, revision } = there(await index.ask('tile', { query, address, layer, unless }, signal));
    const etag = etagOf(tag, revision);
    if (mvt === null || z < OUTLINES_MIN_ZOOM) return { etag, mvt: mvt && Buffer.from(mvt) };
    return { etag, mvt: Buffer.concat([mvt, await outlinesTile(ctx.db, address, filter, role)]) };
  });
}

/** The tile as the database makes it. */
export async function tileBySql(ctx: TriageContext, { z, x, y, filter, known }: TileInput): Promise<Tile> {
  const { db } = ctx;
  const { role } = ctx.actor;
  const etag = etagOf(tagOf(role, filter), await feedTag(db));
  if (known.includes(etag)) return { etag, mvt: null };
  const address = { z, x, y };
  if (z <= CELLS_MAX_ZOOM) return { etag, mvt: await cellsTile(db, address, filter, role) };
  const layers = [await pointsTile(db, address, filter, role)];
  if (z >= OUTLINES_MIN_ZOOM) layers.push(await outlinesTile(db, address, filter, role));
  // layers of a tile are repeated fields of one message: bytes one after the other
  return { etag, mvt: Buffer.concat(layers) };
}

/** Reads a tile's address from the path. @throws DlqError bad_request saying what is taken. */
export function readTileAddress(params: { z?: string; x?: string; y?: string }): TileAddress {
  const [z, x, y] = [params.z, params.x, params.y].map((text) => (/^\d{1,8}$/.test(text ?? '') ? Number(text) : -1));
  if (z === undefined || z < 0 || z > MAX_TILE_ZOOM)
    throw new DlqError('bad_request', `a tile is z/x/y with z from 0 to ${MAX_TILE_ZOOM}, not ${said(params)}`);
  const last = 2 ** z - 1;
  if (x === undefined || y === undefined || x < 0 || y < 0 || x > last || y > last)
    throw new DlqError('bad_request', `at zoom ${z} x and y go from 0 to ${last}, not ${said(params)}`);
  return { z, x, y };
}

function said({ z, x, y }: { z?: string; x?: string; y?: string }): string {
  return `“${`${z}/${x}/${y}`.slice(0, 100)}”`;
}

/** What a tile shows besides its place and moment. */
function tagOf(role: string, filter: Filter): string {
  const text = JSON.stringify([TILE_FORMAT, role, filterToSearch(filter).toString(), filter.ids?.length]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Weak, since a server in front may compress the bytes. @param moment text that differs whenever something else is to be seen */
function etagOf(tag: string, moment: string): string {
  return `W/"${tag}.${moment}"`;
}
