'use client';
import { useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { Popover } from '@/components/ui/popover';
import { useToast } from '@/components/ui/toast';
import { ask, errorOf } from '@/lib/api/fetch-json';
import type { Entry, Evidence } from '@/lib/contract/entry';
import { hexFromBytes } from '@/lib/wkb/hex';
import { geoJsonRefusal, wktRefusal } from './copy-refusal.model';
import { MOST_INLINE_HEX, psqlSnippet, pythonSnippet, type Reproduction } from './reproduce.model';
import type { Scene } from './scene.model';

type Way = { name: string; note: string | null; refusal: string | null; text: () => string | Promise<string> };

/** The geometry for another tool: as text, as bytes, or as a script that does the failing step again. */
export function CopyMenu({
  entry,
  evidence,
  scene,
  bytes,
}: {
  entry: Entry;
  evidence: Evidence;
  scene: Scene;
  bytes: Uint8Array;
}) {
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const take = (way: Way) => {
    setOpen(false);
    copy(way.text()).then(
      () => toast({ text: `${way.name} copied` }),
      (error: unknown) =>
        toast({ tone: 'warn', text: `${way.name} was not copied: ${error instanceof Error ? error.message : error}` }),
    );
  };
  return (
    <Popover
      label="Copy the geometry as"
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="btn btn-s">
          Copy as
          <Icon name="chevron-down" small />
        </button>
      }
    >
      <ul className="copy-as">
        {waysOf(entry, evidence, scene, bytes).map((way) => (
          <li key={way.name}>
            <button
              type="button"
              className="menu-item"
              aria-disabled={way.refusal !== null}
              onClick={() => way.refusal === null && take(way)}
            >
              <span>
                {way.name}
                {(way.refusal ?? way.note) && <span className="cap">{way.refusal ?? way.note}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  );
}

function waysOf(entry: Entry, evidence: Evidence, scene: Scene, bytes: Uint8Array): Way[] {
  const { payload, id } = entry;
  const small = bytes.length * 2 <= MOST_INLINE_HEX;
  const reproduction = (): Reproduction => ({
    id,
    hex: small ? hexFromBytes(bytes) : null,
    origin: window.location.origin,
    src_crs: payload.src_crs,
    claim_id: evidence.claim?.id ?? null,
    target_crs: payload.target_crs,
  });
  const note = small ? 'with the bytes in it' : 'downloads the bytes from here';
  return [
    { name: 'WKT', note: 'in source units', refusal: wktRefusal(scene), text: () => textOf(id, 'wkt') },
    { name: 'EWKB hex', note: 'the bytes as stored', refusal: null, text: () => hexFromBytes(bytes) },
    {
      name: 'GeoJSON',
      note: null,
      refusal: geoJsonRefusal(scene, evidence.claim, payload.src_crs),
      text: () => textOf(id, 'geojson'),
    },
    { name: 'psql', note: `PostGIS does it again, ${note}`, refusal: null, text: () => psqlSnippet(reproduction()) },
    {
      name: 'Python',
      note: `shapely and pyproj do it again, ${note}`,
      refusal: null,
      text: () => pythonSnippet(reproduction()),
    },
  ];
}

/** The server writes texts: its writer needs Node. */
async function textOf(id: string, format: 'wkt' | 'geojson'): Promise<string> {
  const response = await ask(`/api/dead-letters/${encodeURIComponent(id)}/geometry?format=${format}`, {});
  if (!response.ok) throw await errorOf(response, undefined);
  return response.text();
}

/** A text that is still to come is handed to the clipboard as a promise: later the click would count no more. */
async function copy(text: string | Promise<string>): Promise<void> {
  if (!navigator.clipboard) throw new Error('the browser has no clipboard for a page without TLS');
  if (typeof text === 'string') return navigator.clipboard.writeText(text);
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text);
  const blob = text.then((ready) => new Blob([ready], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
