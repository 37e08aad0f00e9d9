import { defaultShouldDehydrateQuery, isServer, QueryClient } from '@tanstack/react-query';
import { ApiError } from '@/lib/api/api-error';

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // pages fetch on the server: without this the browser would ask for everything again at once
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // often the server is this very machine: a browser without a network must ask, and say what it finds
        networkMode: 'always',
        // the page tries again by itself and says when; a request that is wrong stays wrong
        retry: (failures, error) => failures < 1 && error instanceof ApiError && error.code === 'network',
        retryDelay: 500,
      },
      mutations: { networkMode: 'always' },
      dehydrate: { shouldDehydrateQuery: defaultShouldDehydrateQuery },
    },
  });
}

let inBrowser: QueryClient | undefined;

/** A new client for each request on the server, the one client of the tab in the browser. */
export function getQueryClient(): QueryClient {
  if (isServer) return newQueryClient();
  inBrowser ??= newQueryClient();
  return inBrowser;
}
