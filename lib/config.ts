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
  DLO_LOG_LEVEL: optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info')),
});

/** The environment of the server, each value checked; `hosts` are the names a Host header may carry, without port. */
export type Config = {
  database_url: string;
  port: number;
  worker: 'inside' | 'off';
  targets: Record<string, Target>;
  hosts: string[];
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
  const { DATABASE_URL, PORT, DLO_WORKER, DLO_TARGETS, DLO_HOSTS, DLO_LOG_LEVEL } = parsed.data;
  return {
    database_url: DATABASE_URL,
    port: PORT,
    worker: DLO_WORKER,
    targets: DLO_TARGETS,
    hosts: DLO_HOSTS,
    log_level: DLO_LOG_LEVEL,
  };
}

let config: Config | undefined;

/** The configuration of this process, read at the first call: a build has no database and must not ask for one. */
export function getConfig(): Config {
  config ??= parseConfig(process.env);
  return config;
}
