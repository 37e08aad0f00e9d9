import Link from 'next/link';
import { C, DocSection, DocTable } from './doc-section';
import { Snippet } from './snippet';
import { SNIPPETS } from './snippets';

/** The spool, the ledger of runs, and what counts when captures come late or twice. */
export function DocSpool({ origin }: { origin: string }) {
  return (
    <DocSection id="spool" title="When the server is away">
      <p>
        What the server does not take, the clients write to the spool, and count it as kept once it is on the disk. The
        worker loads it, and{' '}
        <Link className="link" href="/intake">
          Intake
        </Link>{' '}
        shows what waits. Set it for the pipelines and for this server, best on another disk than the database’s:
      </p>
      <Snippet text={SNIPPETS.spool} what="The spool" origin={origin} />
      <DocTable
        head={['In the folder', 'Is']}
        rows={[
          [<C key="c">*.ndjson.open</C>, 'being written'],
          [<C key="c">*.ndjson</C>, 'sealed, at 64 MB, after 60 s or at the end of the process: waits to be loaded'],
          [<C key="c">blobs/</C>, 'geometries over 1 MB, by their SHA-256'],
          [<C key="c">loaded/</C>, 'stored whole; removed after DLO_SPOOL_KEEP_DAYS (7)'],
          [<C key="c">rejected/</C>, 'lines that could not be taken, each with its reason, until they are dealt with'],
          [<C key="c">rejected/blobs/</C>, 'geometries whose bytes no longer have their hash; never removed'],
        ]}
      />
      <p>
        A line is <C>{'{"sha256": …, "capture": …}'}</C>, the hash over the capture’s bytes: a line that was cut or
        changed is put aside and named, never guessed at. A client leaves off at 1 GB in the folder (<C>max_bytes</C>,
        in Python <C>max_spool_bytes</C>). Where <C>DLO_SPOOL_DIR</C> names several places with commas, the worker loads
        all of them and a client writes to the first.
      </p>
      <h3>By hand</h3>
      <Snippet text={SNIPPETS.ingest} what="Load files, folders, buckets or a pipe" origin={origin} />
      <p>
        Plain captures, one a line, are taken too. Running it again goes on where it ended. It ends with 0 when every
        line was taken, 1 when some were not (now, or before and nobody has dealt with them), 2 when it could not run to
        its end.
      </p>
      <DocTable
        head={['A line with', 'Counts']}
        rows={[
          [<C key="c">capture_id</C>, 'once, wherever it comes again'],
          [
            <C key="c">failed_at</C>,
            'once for the same text: in a file that was copied or moved, in two files, on two lines of one, through a pipe',
          ],
          [
            'neither',
            'once in its file as it was written: a copy, a file of the same name that was written anew, and a pipe are failures of their own, as nothing tells a replay from another night',
          ],
        ]}
      />
      <p>
        A file that only grew is read on from where it ended. So let the writer put a <C>failed_at</C> into every line
        of a file that may come twice by another way.
      </p>
    </DocSection>
  );
}

export function DocRuns({ origin }: { origin: string }) {
  return (
    <DocSection id="runs" title="Runs: what never arrived">
      <p>
        A tile that was never tried is no dead letter. A run that says what it has to do is held against what became of
        it: <C>missing</C> counts the tiles of its list that neither succeeded nor are dead letters, or, where it only
        counts, <C>expected − succeeded − dead-lettered</C>. What succeeded beyond that is told apart and makes up for
        nothing. See{' '}
        <Link className="link" href="/intake?section=runs">
          Runs
        </Link>
        .
      </p>
      <Snippet text={SNIPPETS.run_typescript} what="TypeScript" origin={origin} />
      <Snippet text={SNIPPETS.run_python} what="Python" origin={origin} />
      <Snippet text={SNIPPETS.run_http} what="HTTP, at the start and at the end" origin={origin} />
      <p>
        With <C>tiles</C> (each as z/x/y) and successes by name, the missing ones are listed; with <C>expected</C> alone
        they are counted. Captures within a run carry its <C>run_id</C> by themselves. Reports may come late, twice or
        in another order, and lists of tiles add up. A tile that is none is left out and named in a warning.
      </p>
      <p>
        The work never waits for the report at its start, and for the one at its end two seconds at most (
        <C>timeout_ms</C>, <C>timeout_s</C>; give more to a run that names a million tiles). A report that cannot be
        sent is not spooled: a warning gives the run’s id, its task and its counts.
      </p>
    </DocSection>
  );
}

export function DocOrder() {
  return (
    <DocSection id="order" title="Late, twice, out of order">
      <ul>
        <li>
          A <C>capture_id</C> counts once, through whichever door it comes again: the answer is <C>duplicate</C>, and
          what came first stays. The clients make one for each failure.
        </li>
        <li>
          The failure with the latest <C>failed_at</C> speaks for its entry: payload, class, error. An older one, such
          as a spool loaded late, only counts: <C>attempts</C> rises, and it stands in the history.
        </li>
        <li>A failure later than its entry’s resolution reopens it. An earlier one does not.</li>
        <li>
          An abandoned entry that fails again with the same payload and code version only counts. Another payload or
          version reopens it.
        </li>
        <li>
          A capture with the <C>attempt_id</C> of a redrive is that redrive’s failure. Without one, so is a failure
          later than the send (a minute is left for clocks that differ).
        </li>
        <li>
          Two tasks may use the same <C>work_key</C>: the later one gets an entry of its own, and its redrive still
          carries the key as it was given.
        </li>
      </ul>
    </DocSection>
  );
}
