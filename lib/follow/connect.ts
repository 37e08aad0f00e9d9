import pg from 'pg';

/**
 * A connection to follow the feed by. Each of its statements is a look-up by key or a range of pages; without sequential
 * scans no plan of an hour's changes or of ten million entries goes wrong.
 */
export async function connectToFollow(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'dead-letter-office triage index',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    keepAlive: true,
    options: '-c max_parallel_workers_per_gather=0 -c jit=off -c enable_seqscan=off',
  });
  // what is lost while idle is told by the next statement; without a listener it would end the process
  client.on('error', () => {});
  await client.connect();
  return client;
}
