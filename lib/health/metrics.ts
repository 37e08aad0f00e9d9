import type { Db } from '@/db/client';
import { countSpoolFiles } from '@/db/queries/count-spool-files';
import { indexMetrics } from './index-metrics';
import { processMetrics } from './process-metrics';
import { type MetricFamily, prometheusText } from './prometheus-text';

/** Of what is measured, neither positions nor payloads: the text that Prometheus reads. A database that is away is said, and no error. */
export async function metrics({ db }: { db: Db }): Promise<string> {
  const [index, spools] = await Promise.all([indexMetrics(), spoolMetrics(db)]);
  return prometheusText([...processMetrics(), ...index, ...spools]);
}

async function spoolMetrics(db: Db): Promise<MetricFamily[]> {
  const files = await countSpoolFiles(db).catch(() => null);
  return [
    {
      name: 'dlo_database_up',
      help: 'Whether the database answered',
      type: 'gauge',
      samples: [{ value: files === null ? 0 : 1 }],
    },
    {
      name: 'dlo_spool_files',
      help: 'Spool files that the database knows, by state',
      type: 'gauge',
      samples: (files ?? []).map(({ state, files: value }) => ({ labels: { state }, value })),
    },
    {
      name: 'dlo_spool_left_bytes',
      help: 'Bytes of spool files that are not loaded yet, by state of the file',
      type: 'gauge',
      samples: (files ?? []).map(({ state, bytes_left: value }) => ({ labels: { state }, value })),
    },
  ];
}
