import { z } from 'zod';

/** Where redrives of a task go, by name. More kinds join this union. */
const targetSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('webhook'), url: z.url({ protocol: /^https?$/ }), secret: z.string().min(1) }),
]);
export type Target = z.infer<typeof targetSchema>;

/** Empty means unset: `DLO_TARGETS=` in a shell or a compose file is how people switch a value off. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});

const environmentSchema = z.object({
  DATABASE_URL: z
    .string({ error: 'must be set to a connection string (npm start sets it to the private database)' })
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://'),
  PORT: optional(z.coerce.number().int().min(1).max(65_535).default(3000)),
  DLO_WORKER: optional(z.enum(['inside', 'off']).default('inside')),
  DLO_INDEX: optional(z.enum(['inside', 'off']).default('inside')),
  DLO_TARGETS: optional(json.pipe(z.record(z.string(), targetSchema)).default({})),
  DLO_HOSTS: optional(
    z
      .string()
      .default('localhost,127.0.0.1,[::1]')
      .transform((text) =>
        text
          .split(',')
          .map((host) => host.trim().toLowerCase())
          .filter(Boolean),
      ),
  ),
  DLO_INTAKE: optional(z.enum(['open', 'token']).default('open')),
  DLO_INTAKE_CONCURRENCY: optional(z.coerce.number().int().min(1).max(1000).default(16)),
  DLO_INTAKE_CONNECTIONS: optional(z.coerce.number().int().min(1).max(100).default(6)),
  // below one capture of the greatest size, that capture could never be taken
  DLO_INTAKE_BYTES: optional(z.coerce.number().int().min(40_000_000).default(256_000_000)),
  DLO_INTAKE_IDLE_S: optional(z.coerce.number().min(0.1).max(3600).default(30)),
  DLO_BLOBS: optional(z.string().default('./.data/blobs')),
  DLO_MAX_BLOB_BYTES: optional(z.coerce.number().int().min(1).default(1_000_000_000)),
  DLO_PUBLIC_URL: optional(
    z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
  ),
  DLO_SPOOL_DIR: optional(
    z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((address) => address.trim())
          .filter(Boolean),
      ),
  ),
  DLO_SPOOL_KEEP_DAYS: optional(z.coerce.number().min(0).max(36_500).default(7)),
  DLO_LOG_LEVEL: optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info')),
});

/** How captures, blobs and runs are taken in. */
export interface Intake {
  /** Whether a write without a producer's token is taken from this machine. */
  without_token: 'open' | 'token';
  /** Requests in work at once; as many again wait a second for their turn. */
  concurrency: number;
  /** Connections to the database that only the intake uses, so that neither reads nor captures starve the other. */
  connections: number;
  /** Bytes of bodies held in memory at once. */
  max_held_bytes: number;
  /** How long a body may bring nothing. */
  idle_ms: number;
}

/** The environment of the server, each value checked; `hosts` are the names a Host header may carry, without port. */
export type Config = {
  database_url: string;
  port: number;
  worker: 'inside' | 'off';
  /** Whether this process holds the triage index; without it the database answers. */
  index: 'inside' | 'off';
  targets: Record<string, Target>;
  hosts: string[];
  intake: Intake;
  /** Where payloads over the size rule lie: a folder, or s3://bucket/prefix. */
  blobs: string;
  max_blob_bytes: number;
  /** Under which a redrive's target reaches this server, without a slash at its end; null where it is told paths alone. */
  public_url: string | null;
  /** Spools that the worker loads, folders and s3://bucket/prefix, and for how long what is loaded is kept. */
  spools: { addresses: string[]; keep_days: number };
  log_level: z.infer<typeof environmentSchema>['DLO_LOG_LEVEL'];
};

/** The environment says something that the product cannot run with; one line for each variable, by its name. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Reads the configuration from environment variables. Throws ConfigError naming each variable that is wrong. */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path: [name, ...rest], message }) =>
      [String(name), rest.length > 0 ? ` (${rest.join('.')})` : '', ': ', message].join(''),
    );
    throw new ConfigError(lines.join('\n'));
  }
  const { DATABASE_URL, PORT, DLO_WORKER, DLO_INDEX, DLO_TARGETS, DLO_HOSTS, DLO_LOG_LEVEL, ...rest } = parsed.data;
  return {
    database_url: DATABASE_URL,
    port: PORT,
    worker: DLO_WORKER,
    index: DLO_INDEX,
    targets: DLO_TARGETS,
    hosts: DLO_HOSTS,
    intake: {
      without_token: rest.DLO_INTAKE,
      concurrency: rest.DLO_INTAKE_CONCURRENCY,
      connections: rest.DLO_INTAKE_CONNECTIONS,
      max_held_bytes: rest.DLO_INTAKE_BYTES,
      idle_ms: rest.DLO_INTAKE_IDLE_S * 1000,
    },
    blobs: rest.DLO_BLOBS,
    max_blob_bytes: rest.DLO_MAX_BLOB_BYTES,
    public_url: rest.DLO_PUBLIC_URL ?? null,
    spools: { addresses: rest.DLO_SPOOL_DIR, keep_days: rest.DLO_SPOOL_KEEP_DAYS },
    log_level: DLO_LOG_LEVEL,
  };
}

let config: Config | undefined;

/** The configuration of this process, read at the first call: a build has no database and must not ask for one. */
export function getConfig(): Config {
  config ??= parseConfig(process.env);
  return config;
}
