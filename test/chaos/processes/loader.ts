import { randomUUID } from 'node:crypto';
import { getDb } from '@/db/client';
import { blobSink } from '@/lib/blobs/blob-sink';
import { getConfig } from '@/lib/config';
import { openSource } from '@/lib/spool/open-source';
import { watchSpools } from '@/lib/spool/watch';
import { runLoop } from '@/lib/worker/loop';

/** The worker's watch over the spool as a process of its own, looking more often than in production. */
const db = getDb();
const { addresses, keep_days } = getConfig().spools;
const sources = addresses.map((address) => openSource(address, process.env));
const run = watchSpools({ db, sources, blobs: blobSink(db), worker: randomUUID(), keep_days });
process.on('disconnect', () => process.exit());
process.send?.({ kind: 'ready' });
await runLoop({ name: 'spool', idle_ms: 50, run }, new AbortController().signal);
