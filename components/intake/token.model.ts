import { type CreatedToken, type NewToken, newTokenSchema, type Token } from '@/lib/contract/token';

export type TokenState = 'in_use' | 'expired' | 'revoked';

export function tokenState({ revoked_at, expires_at }: Token, now: number): TokenState {
  if (revoked_at) return 'revoked';
  return expires_at && Date.parse(expires_at) <= now ? 'expired' : 'in_use';
}

export const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'a year' },
  { value: '', label: 'until revoked' },
] as const;

export interface TokenForm {
  name: string;
  queue: string;
  /** Names between commas or line breaks. */
  tasks: string;
  /** Days, or '' for without end. */
  lifetime: string;
  rate: string;
}
export type TokenField = keyof TokenForm;
export const EMPTY_TOKEN: TokenForm = { name: '', queue: '', tasks: '', lifetime: '90', rate: '' };

const DAY_MS = 86_400_000;
const FIELDS: Record<string, TokenField> = {
  name: 'name',
  queue: 'queue',
  task_names: 'tasks',
  expires_at: 'lifetime',
  captures_per_s: 'rate',
};

/** What is asked for, or what is wrong with it by field. */
export function readTokenForm(
  form: TokenForm,
  now: number,
): { body: NewToken } | { problems: Partial<Record<TokenField, string>> } {
  const tasks = form.tasks
    .split(/[,\n]/)
    .map((task) => task.trim())
    .filter(Boolean);
  const rate = form.rate.trim().replaceAll(',', '');
  const parsed = newTokenSchema.safeParse({
    name: form.name,
    queue: form.queue.trim() || null,
    task_names: tasks.length > 0 ? [...new Set(tasks)] : null,
    expires_at: form.lifetime === '' ? null : new Date(now + Number(form.lifetime) * DAY_MS).toISOString(),
    captures_per_s: rate === '' ? null : Number(rate),
  });
  if (parsed.success) return { body: parsed.data };
  const problems: Partial<Record<TokenField, string>> = {};
  for (const { path, message } of parsed.error.issues) {
    const field = FIELDS[String(path[0])] ?? 'name';
    problems[field] ??= WORDS[field] ?? message;
  }
  if (problems.name && form.name.trim() !== '')
    problems.name = parsed.error.issues.find(({ path }) => path[0] === 'name')?.message ?? problems.name;
  return { problems };
}

const WORDS: Partial<Record<TokenField, string>> = {
  name: 'Name the producer, in 1 to 100 characters',
  queue: 'A queue has at most 200 characters',
  tasks: 'At most 1,000 tasks of at most 500 characters',
  rate: 'A number above 0, at most 1,000,000',
};

/** Sends one capture with the token, as its holder may. The shell keeps the token out of its history by the variable. */
export function curlExample(origin: string, { queue, task_names }: Pick<CreatedToken, 'queue' | 'task_names'>): string {
  const capture = {
    ...(queue === null ? {} : { queue }),
    work_key: 'parcels/39/035/88213',
    task_name: task_names?.[0] ?? 'reproject_parcels',
    geom_wkt: 'POINT(-81.69 41.5)',
    src_crs: 'EPSG:4326',
    error_text: 'tried by hand',
  };
  return [
    `curl ${origin}/api/dead-letters \\`,
    '  -H "Authorization: Bearer $DLO_TOKEN" \\',
    "  -H 'content-type: application/json' \\",
    `  -d ${shellText(JSON.stringify(capture))}`,
  ].join('\n');
}

/** A text as one word of a POSIX shell. */
export const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
