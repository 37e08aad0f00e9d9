import { C, DocSection, DocTable } from './doc-section';
import { Snippet } from './snippet';
import { SNIPPETS } from './snippets';

/** Capture by INSERT. `columns` are the names by which attached columns are recognised, by field. */
export function DocSql({ origin, columns }: { origin: string; columns: readonly (readonly [string, string[]])[] }) {
  return (
    <DocSection id="sql" title="SQL">
      <p>
        Two tables are under capture from the start. Their own INSERT statements stay as they are, upserts too: a
        trigger hands every proposed row to the queue. <C>npx dlo db-url</C> prints where to connect.
      </p>
      <Snippet text={SNIPPETS.sql_geotask} what="geotask_dlq: one row a work key" origin={origin} />
      <Snippet text={SNIPPETS.sql_failed} what="failed_geotasks: one row a task and geometry" origin={origin} />
      <ul>
        <li>
          A row of <C>failed_geotasks</C> has no task name: its role’s, else the session’s <C>dlq.task_name</C>, else
          the table’s name is taken. <C>set dlq.queue</C> and <C>dlq.code_version</C> say the rest.
        </li>
        <li>
          Marks go both ways: a redrive that is fixed sets <C>resolved_at</C> or <C>status</C>; your own UPDATE of these
          resolves or reopens the entry, and its history says “by sql”.
        </li>
        <li>A capture that fails never fails your statement: the row stays, and a WARNING names the key.</li>
      </ul>
      <h3>A role for each producer</h3>
      <Snippet text={SNIPPETS.sql_role} what="It may run these statements and nothing else" origin={origin} />
      <p>
        <C>--compat</C> puts <C>dlq_compat</C> first on its search_path: there <C>ST_GeomFromWKB</C> no longer raises on
        what PostGIS refuses, and the bytes are captured. <C>--dry-run</C> prints the statements.
      </p>
      <h3>A table of your own</h3>
      <Snippet text={SNIPPETS.sql_attach} what="Under capture, and out of it" origin={origin} />
      <p>
        What the table holds comes in, in chunks and at most once; what it is given from then on is captured. Stopped,
        the same command goes on. It needs a primary key or a unique index. Detached, its entries stay. Columns are
        recognised by these names; <C>--map column=field</C> says otherwise, <C>--map column=-</C> leaves one out:
      </p>
      <DocTable
        head={['Field', 'Column names']}
        rows={[
          ...columns
            .filter(([, names]) => names.length > 1)
            .map(([field, names]) => [<C key="field">{field}</C>, <C key="names">{names.join(', ')}</C>]),
          [
            'by their own name',
            <C key="names">
              {columns
                .filter(([, names]) => names.length === 1)
                .map(([field]) => field)
                .join(', ')}
            </C>,
          ],
        ]}
      />
    </DocSection>
  );
}
