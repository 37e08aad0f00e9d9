import { startThrowawayCluster } from '@/lib/cli/throwaway-cluster.mjs';

/** A PostgreSQL server that tests may fill; `url` names a superuser and a database to connect to first. */
export type TestServer = { url: string; stop: () => Promise<void> };

/** The server of DLO_TEST_DATABASE_URL, else a throwaway one that ends with this process at the latest. */
export async function provideTestServer(): Promise<TestServer> {
  const url = process.env.DLO_TEST_DATABASE_URL;
  if (url) return { url, stop: async () => {} };
  return startThrowawayCluster();
}

/** The same server and role, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
