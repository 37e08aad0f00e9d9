import { type Filter, filterToSearch } from '../contract/filter';

/**
 * Every key of the query cache. Equal filters make equal keys whatever the order of their members; each resource can be
 * invalidated as a whole by its first word.
 */
export const queryKeys = {
  triage: {
    all: ['triage'] as const,
    faults: (filter: Filter, as_of: string) => ['triage', 'faults', filterToSearch(filter).toString(), as_of] as const,
    trends: (filter: Filter, as_of: string) => ['triage', 'trends', filterToSearch(filter).toString(), as_of] as const,
    answer: (filter: Filter, order: string) => ['triage', filterToSearch(filter).toString(), order] as const,
  },
  suggest: {
    all: ['suggest'] as const,
    of: (question: string) => ['suggest', question] as const,
  },
  places: { all: ['places'] as const, like: (prefix: string) => ['places', prefix] as const },
  list: {
    all: ['list'] as const,
    pages: (filter: Filter, order: string) => ['list', filterToSearch(filter).toString(), order] as const,
  },
  entry: { all: ['entry'] as const, one: (id: string) => ['entry', id] as const },
  evidence: {
    all: ['evidence'] as const,
    one: (id: string) => ['evidence', id] as const,
    ghost: (id: string, reading: string) => ['evidence', id, 'ghost', reading] as const,
  },
  similar: { all: ['similar'] as const, to: (id: string) => ['similar', id] as const },
  displacement: { all: ['displacement'] as const, of: (query: string) => ['displacement', query] as const },
  operations: {
    all: ['operations'] as const,
    list: () => ['operations', 'list'] as const,
    running: () => ['operations', 'running'] as const,
    one: (id: string) => ['operations', 'one', id] as const,
    items: (id: string, outcome: string | null) => ['operations', 'items', id, outcome] as const,
  },
  spool: {
    all: ['spool'] as const,
    state: () => ['spool', 'state'] as const,
    rejected: (is_open: boolean) => ['spool', 'rejected', is_open] as const,
  },
  views: { all: ['views'] as const, list: () => ['views', 'list'] as const },
  tokens: { all: ['tokens'] as const, list: () => ['tokens', 'list'] as const },
  runs: {
    all: ['runs'] as const,
    list: (status: string | null) => ['runs', 'list', status] as const,
    one: (run_id: string, queue: string | null, task_name: string | null) =>
      ['runs', 'one', run_id, queue, task_name] as const,
  },
};
