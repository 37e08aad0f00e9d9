import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { DocClasses } from '@/components/docs/doc-classes';
import { DocClients } from '@/components/docs/doc-clients';
import { DocHttp } from '@/components/docs/doc-http';
import { DocOrder, DocRuns, DocSpool } from '@/components/docs/doc-spool';
import { DocSql } from '@/components/docs/doc-sql';
import { DocToc } from '@/components/docs/doc-toc';
import '@/components/docs/docs.css';
import { PageKeys } from '@/components/triage/page-keys';
import { COLUMN_NAMES } from '@/lib/attach/fields';
import { CLASSIFY_RULES } from '@/lib/capture/classify-rules';
import { pageOrigin } from '@/lib/http/page-origin';

export const metadata: Metadata = { title: 'How to capture' };

/** Help for those who write pipelines. Its tables are made from what the product itself goes by. */
export default async function Page() {
  const origin = pageOrigin(await headers());
  return (
    <main id="main" className="doc">
      <PageKeys />
      <DocToc />
      <div className="doc-b">
        <header className="doc-h">
          <h1>How to capture</h1>
          <p className="dim">
            When one feature or tile in a million fails, the batch goes on, and the failure is kept with everything that
            is needed to see it and to run it again. Each way in below leads to the same queue.
          </p>
        </header>
        <DocClients origin={origin} />
        <DocHttp origin={origin} />
        <DocSql origin={origin} columns={COLUMN_NAMES} />
        <DocSpool origin={origin} />
        <DocRuns origin={origin} />
        <DocClasses rules={CLASSIFY_RULES.map(({ failure_class, from, says }) => ({ failure_class, from, says }))} />
        <DocOrder />
      </div>
    </main>
  );
}
