import Link from 'next/link';
import { C, DocSection, DocTable } from './doc-section';
import { Snippet } from './snippet';
import { SNIPPETS } from './snippets';

/** Plain HTTP, and the blob store. */
export function DocHttp({ origin }: { origin: string }) {
  return (
    <>
      <DocSection id="http" title="HTTP">
        <p>
          From anything. Only <C>work_key</C> and <C>task_name</C> are demanded; a member that is unknown is refused by
          name, so that a misspelt one is never lost in silence. Every member:{' '}
          <a className="link" href="/api/openapi.json">
            /api/openapi.json
          </a>
          .
        </p>
        <p>
          A <C>work_key</C> has at most 2,000 characters: HTTP refuses a longer one, SQL keeps its first 400 and its
          hash, and the clients file the failure under <C>task/unkeyed/hash</C>.
        </p>
        <Snippet text={SNIPPETS.http_one} what="One, as JSON" origin={origin} />
        <p>
          The answer is <C>{'{id, work_key, attempts, outcome}'}</C>, outcome one of <C>created</C>, <C>repeated</C>,{' '}
          <C>reopened</C>, <C>duplicate</C>.
        </p>
        <Snippet text={SNIPPETS.http_many} what="Many, as NDJSON" origin={origin} />
        <p>
          One answer a line, in their order. A bad line is named with its number and the reason; the others are stored.
        </p>
        <Snippet text={SNIPPETS.http_gzip} what="The same, packed" origin={origin} />
        <Snippet text={SNIPPETS.http_id} what="With an id, so that a second try counts once" origin={origin} />
        <Snippet text={SNIPPETS.http_token} what="With a token" origin={origin} />
        <p>
          <Link className="link" href="/intake?section=producers">
            Make a token
          </Link>
          . It may send captures, blobs and run reports, and nothing else; with a queue or tasks it is held to them.
          Where <C>DLO_INTAKE=token</C> is set, nothing is taken without one.
        </p>
        <DocTable
          head={['Answer', 'Means', 'Do']}
          rows={[
            ['200', 'it is stored', 'nothing'],
            ['400, 422', 'a member is wrong; the message names it', 'mend it; the same again is refused again'],
            ['401, 403', 'no token, or one that may not send this', 'another token'],
            ['413', 'over 33 MB for one capture, unpacked', 'the geometry into the blob store'],
            ['429', 'as much is in work as may be, or the token’s rate is reached', 'wait Retry-After seconds, again'],
            [
              '503',
              'the database is away; nothing of it was stored',
              'wait, again with the same capture_id; or the spool',
            ],
          ]}
        />
        <p>
          A body of NDJSON may have 4 GB. Where it breaks off, what came whole is stored and answered, and a last line
          with <C>line</C> 0 says so: send the rest again under the same capture_ids.
        </p>
      </DocSection>
      <DocSection id="blobs" title="Large geometries">
        <p>
          A geometry over 1,000,000 bytes lies in the blob store under its SHA-256, and the capture names it as{' '}
          <C>payload_ref</C>. The clients do that by themselves, and so does the server with what plain HTTP sends
          inline (up to 33 MB a capture). Beyond that, put it there first:
        </p>
        <Snippet text={SNIPPETS.blob} what="By reference" origin={origin} />
        <p>
          <C>geom_format</C> beside it says what the bytes are: <C>wkb</C> (also when left out), <C>wkt</C> or{' '}
          <C>geojson</C>. A raster is never sent: name its <C>source_uris</C> and <C>source_window</C>. With{' '}
          <C>raster_width</C> and <C>raster_height</C> (pixels) among the <C>params</C>, a window that is not wholly
          inside is found as the fault <C>window_outside_raster</C>. A <C>bbox</C> or <C>bounds</C> there, of four
          degrees, tells where the unit should lie.
        </p>
      </DocSection>
    </>
  );
}
