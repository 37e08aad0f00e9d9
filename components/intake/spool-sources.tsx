import Link from 'next/link';
import { CopyButton } from '@/components/evidence/copy-button';
import { Icon } from '@/components/ui/icon';
import { ageText } from '@/components/ui/time-text';
import type { SpoolSourceState } from '@/lib/contract/spool';
import { LookPill } from './look-pill';
import { findingOf, SOURCE_LOOKS, waitingText } from './spool.model';
import { visibleText } from './visible-text.model';

/** Each watched source: whether it is reached, what waits in it, and what could go wrong there. */
export function SpoolSources({ sources, as_of }: { sources: readonly SpoolSourceState[]; as_of: string }) {
  return (
    <section className="card" aria-labelledby="in-sources">
      <div className="card-h">
        <h2 id="in-sources">Sources</h2>
        <span className="cap">folders and buckets that the worker loads</span>
      </div>
      <ul className="in-sources">
        {sources.map((source) => (
          <Source key={source.url} source={source} as_of={as_of} />
        ))}
      </ul>
    </section>
  );
}

function Source({ source, as_of }: { source: SpoolSourceState; as_of: string }) {
  const finding = findingOf(source);
  const looked = ageText(Date.parse(as_of) - Date.parse(source.looked_at));
  return (
    <li>
      <div className="in-source">
        <LookPill look={SOURCE_LOOKS[finding]} />
        <span className="mono in-any" title={source.url}>
          {source.url}
        </span>
        <span className="cap in-source-k">{source.kind === 'bucket' ? 'object storage' : 'folder'}</span>
        <span className={`in-source-w ${source.waiting_files > 0 ? 'strong' : 'dim'}`}>
          {waitingText(source, as_of)}
        </span>
      </div>
      {finding === 'unreachable' && (
        <p className="in-source-n bad-t">
          <Icon name="circle-alert" small />
          <span>
            {source.error ? <span className="mono in-any">{visibleText(source.error)}</span> : 'It gives no reason'}.
            What waits there stays; the worker looks again by itself, last {looked} ago.
          </span>
        </p>
      )}
      {finding === 'unwatched' && (
        <p className="in-source-n warn-t">
          <Icon name="triangle-alert" small />
          <span>
            Nobody has looked there for {looked}: no worker runs (DLO_WORKER, dlo worker), or DLO_SPOOL_DIR no longer
            names it. What waits there stays.
          </span>
        </p>
      )}
      {source.same_filesystem && (
        <p className="in-source-n warn-t">
          <Icon name="triangle-alert" small />
          <span>
            On the same disk as the database: once that is full, neither takes a capture. Better name a folder on
            another disk, or a bucket.
          </span>
        </p>
      )}
    </li>
  );
}

const TURN_ON = 'DLO_SPOOL_DIR=/var/spool/dead-letter-office npm start';

/** How a spool is turned on. */
export function NoSpool() {
  return (
    <section className="card in-void">
      <p className="strong">No spool is watched.</p>
      <p className="dim">
        A spool keeps captures while the server or its database is away. Name a folder, or s3://bucket/prefix, in
        DLO_SPOOL_DIR: for this server, which loads it, and for the pipelines, which write to it. Best on another disk
        than the database’s.
      </p>
      <p className="in-code">
        <code className="mono">{TURN_ON}</code>
        <CopyButton text={TURN_ON} what="Command" />
      </p>
      <p>
        <Link className="link" href="/docs/capture#spool">
          How the spool works
        </Link>
      </p>
    </section>
  );
}
