import { C, DocSection } from './doc-section';
import { Snippet } from './snippet';
import { SNIPPETS } from './snippets';

/** The two clients. */
export function DocClients({ origin }: { origin: string }) {
  return (
    <>
      <DocSection id="typescript" title="TypeScript">
        <p>Three lines around a task, outside its retries: what reaches them has used up its budget.</p>
        <Snippet text={SNIPPETS.typescript} what="A task with retries" origin={origin} />
        <ul>
          <li>
            The task’s own error is always raised again as it was. A capture that fails never hides it, and holds it up
            for at most <C>timeout_ms</C> (2 s).
          </li>
          <li>
            <C>geometry</C> is what the task had: WKB bytes, WKT or GeoJSON. It is kept byte for byte and never parsed
            on the way. Bow-ties, open rings and NaN are what this is for.
          </li>
          <li>
            <C>work_key</C> is the unit of work’s own key: one entry per key, however often it fails. A redrive carries
            it back.
          </li>
          <li>
            Left out, <C>token</C> means none, <C>spool</C> is <C>DLO_SPOOL_DIR</C>, and <C>code_version</C> is{' '}
            <C>DLO_CODE_VERSION</C>, what the build set, or git’s revision.
          </li>
          <li>
            <C>redact</C> takes out what must not leave; <C>classify</C> knows your own errors; <C>captureBatch</C>{' '}
            sends many together.
          </li>
        </ul>
        <p>Before a process exits by itself:</p>
        <Snippet text={SNIPPETS.typescript_flush} what="Before the end" origin={origin} />
      </DocSection>
      <DocSection id="python" title="Python">
        <p>One file, standard library only, Python 3.9 or later.</p>
        <Snippet text={SNIPPETS.python_get} what="Get it" origin={origin} />
        <Snippet text={SNIPPETS.python} what="A task with retries" origin={origin} />
        <ul>
          <li>
            For functions, coroutines and generators, above the decorator that retries. Without <C>payload</C> the
            arguments are kept by their names.
          </li>
          <li>
            <C>geometry</C> takes shapely, OGR, QGIS, GeoDjango and GeoAlchemy objects, WKB, WKT and GeoJSON. Numbers
            are kept to the last bit; what JSON cannot hold is named in the params.
          </li>
          <li>
            Bare, <C>@dead_letter_on_failure</C> reads <C>DLO_URL</C>, <C>DLO_TOKEN</C>, <C>DLO_SPOOL_DIR</C>,{' '}
            <C>DLO_QUEUE</C> and <C>DLO_CODE_VERSION</C>.
          </li>
        </ul>
      </DocSection>
    </>
  );
}
