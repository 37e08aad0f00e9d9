import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { poolCounts } from '@/db/client';
import type { MetricFamily } from './prometheus-text';

const key = Symbol.for('dead-letter-office.event-loop-delay');
const shared = globalThis as { [key]?: IntervalHistogram };
const NS = 1e9;
/** How often the delay is sampled; the samples themselves are of this length at least. */
const RESOLUTION_MS = 10;

/** Memory, event loop and database connections of this process. */
export function processMetrics(): MetricFamily[] {
  const { rss, heapUsed, heapTotal, arrayBuffers } = process.memoryUsage();
  const one = (name: string, help: string, value: number): MetricFamily => ({
    name,
    help,
    type: 'gauge',
    samples: [{ value }],
  });
  return [
    one('dlo_process_resident_memory_bytes', 'Memory of the process, its threads included', rss),
    one('dlo_process_heap_used_bytes', 'JavaScript heap in use, that of threads not included', heapUsed),
    one('dlo_process_heap_total_bytes', 'JavaScript heap that is reserved', heapTotal),
    one('dlo_process_array_buffers_bytes', 'Bytes of buffers, those of threads not included', arrayBuffers),
    one('dlo_process_uptime_seconds', 'Since the process was started', process.uptime()),
    eventLoopDelay(),
    {
      name: 'dlo_database_connections',
      help: 'Connections of the pools of this process by use, and requests that wait for one',
      type: 'gauge',
      samples: poolCounts().flatMap(({ pool, busy, idle, waiting }) =>
        Object.entries({ busy, idle, waiting }).map(([use, value]) => ({ labels: { pool, use }, value })),
      ),
    },
  ];
}

/** Of the time since it was last looked at. */
function eventLoopDelay(): MetricFamily {
  const histogram = shared[key];
  if (!histogram) {
    shared[key] = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    shared[key].enable();
  }
  const samples = histogram?.count
    ? [0.5, 0.99, 1].map((quantile) => ({
        labels: { quantile: String(quantile) },
        value: histogram.percentile(quantile * 100) / NS,
      }))
    : [];
  histogram?.reset();
  return {
    name: 'dlo_process_event_loop_delay_seconds',
    help: 'How late timers of the main thread ran since the last look; a hundredth of a second is none',
    type: 'gauge',
    samples,
  };
}
