import { DURATION_BOUNDS_S, type Durations } from '@/lib/follow/durations';
import { getTriageIndex, type TriageIndexThread } from '@/lib/follow/triage-index';
import type { MetricFamily, Sample } from './prometheus-text';

/** What there is to say of the triage index of this process; nothing where it has none. */
export async function indexMetrics(): Promise<MetricFamily[]> {
  const index = getTriageIndex();
  if (!index) return [];
  const [status, depth] = await Promise.all([index.look(), index.ask('depth', {})]);
  const gauge = (name: string, help: string, value: number | null | undefined): MetricFamily => ({
    name,
    help,
    type: 'gauge',
    samples: value === null || value === undefined ? [] : [{ value }],
  });
  const memory = status?.memory;
  return [
    gauge(
      'dlo_index_ready',
      'Whether the triage index answers; else the database does',
      Number(index.state === 'ready'),
    ),
    gauge('dlo_index_away', 'Whether the index cannot read the database just now', status && Number(status.away)),
    gauge('dlo_index_behind_seconds', 'Since the last complete reading of the feed began', status?.behind_s),
    gauge('dlo_index_load_seconds', 'How long the last loading took', status?.load_s),
    gauge('dlo_index_entries', 'Entries in the index', memory?.rows),
    gauge('dlo_index_combos', 'Distinct combinations of facet values', memory?.combos),
    gauge('dlo_index_kinds', 'Distinct combinations of facet values and state that occur', memory?.kinds),
    gauge('dlo_index_bytes', 'Bytes of the columns and texts of the index', memory?.bytes),
    gauge('dlo_index_heap_bytes', 'JavaScript heap of the thread of the index', status?.heap_bytes),
    {
      name: 'dlo_index_revision',
      help: 'How often the index has taken changes in since its thread was started',
      type: 'gauge',
      samples: status ? [{ value: Number(status.revision.split('.').at(-1)) }] : [],
    },
    counter('dlo_index_changes_total', 'Changed entries taken in since the thread was started', status?.followed),
    counter('dlo_index_rebuilds_total', 'Loadings after the first of the thread', status?.rebuilds),
    counter('dlo_index_restarts_total', 'How often the thread has ended and was started anew', index.restarts),
    answers(index),
    {
      name: 'dlo_depth',
      help: 'Entries by failure class and state; all but the resolved ones make the depth',
      type: 'gauge',
      samples: (depth?.by ?? []).map(({ count, ...labels }) => ({ labels, value: count })),
    },
  ];
}

function counter(name: string, help: string, value: number | undefined): MetricFamily {
  return { name, help, type: 'counter', samples: value === undefined ? [] : [{ value }] };
}

function answers({ durations }: TriageIndexThread): MetricFamily {
  return {
    name: 'dlo_index_answer_seconds',
    help: 'How long answers of the index took, the wait for its thread and the feed included',
    type: 'histogram',
    samples: [...durations.by].flatMap(([verb, counted]) => histogram({ verb }, counted)),
  };
}

function histogram(
  labels: Record<string, string>,
  { up_to, count, sum_s }: NonNullable<ReturnType<Durations['by']['get']>>,
): Sample[] {
  return [
    ...DURATION_BOUNDS_S.map((bound, i) => ({
      suffix: '_bucket' as const,
      labels: { ...labels, le: String(bound) },
      value: up_to[i] ?? 0,
    })),
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sum_s },
    { suffix: '_count', labels, value: count },
  ];
}
