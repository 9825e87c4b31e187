import { z } from 'zod';
import { ACCESS_SETTINGS } from '../access/access.settings.js';
import { CLUSTER_SETTINGS } from '../cluster/cluster.settings.js';
import { DOCS_SETTINGS } from '../docs/docs.settings.js';
import { EVENT_SETTINGS } from '../events/events.settings.js';
import { HTTP_SETTINGS } from '../http/http.settings.js';
import { MANAGEMENT_SETTINGS } from '../management/management.settings.js';
import { DEPRECATION_SETTINGS } from '../operations/deprecation.settings.js';
import { ORDER_SETTINGS } from '../orders/orders.settings.js';
import { DATABASE_SETTINGS } from '../storage/database.settings.js';
import { WEBHOOK_SETTINGS } from '../webhooks/webhooks.settings.js';
import { settings, type SettingText } from './settings.js';
import { withoutPasswords } from './without-passwords.js';

/** All areas, in the order of the table in docs/operations.md. */
const AREAS = z.object({
  ...HTTP_SETTINGS.shape,
  ...CLUSTER_SETTINGS.shape,
  ...MANAGEMENT_SETTINGS.shape,
  ...DATABASE_SETTINGS.shape,
  ...ACCESS_SETTINGS.shape,
  ...EVENT_SETTINGS.shape,
  ...ORDER_SETTINGS.shape,
  ...WEBHOOK_SETTINGS.shape,
  ...DOCS_SETTINGS.shape,
  ...DEPRECATION_SETTINGS.shape,
});

/** The whole configuration, read once at the start. Nothing else reads the environment. */
export type Configuration = Readonly<z.output<typeof AREAS>>;

/** Injects the {@link Configuration}: `@Inject(CONFIGURATION) configuration: Configuration`. */
export const CONFIGURATION = Symbol('Configuration');

type SettingName = keyof Configuration;

/** Environment variables as the process got them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration is invalid. The message has a line for each mistake: the variable, its value, what is allowed. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Rules between settings, checked when each of them is valid by itself. */
const SCHEMA = AREAS.superRefine((configuration, context) => {
  if (context.issues.length > 0) return;
  const { databaseUrl, databaseReadUrl, apiKeyPepper, processes, redisUrls } = configuration;
  if (databaseReadUrl !== undefined && databaseUrl === undefined)
    context.addIssue(
      'DATABASE_READ_URL is set and DATABASE_URL is not. It names a replica of that database: set both, or none.',
    );
  if (databaseUrl !== undefined && apiKeyPepper === undefined)
    context.addIssue(
      `API_KEY_PEPPER is not set; allowed: ${textOf('apiKeyPepper').allowed}. It is required with DATABASE_URL, because the API keys there are issued under it.`,
    );
  if (processes > 1 && redisUrls === undefined)
    context.addIssue(
      `WEB_CONCURRENCY is ${processes} and REDIS_URL is not set. Without it every process counts by itself, so that a key would get its plan ${processes} times: set REDIS_URL, or run one process.`,
    );
});

/**
 * Reads the configuration from environment variables; an empty one counts as unset.
 * @throws ConfigurationError
 */
export function readConfiguration(environment: Environment): Configuration {
  const written = Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const value = environment[textOf(name).variable]?.trim();
      return [name, value === '' ? undefined : value];
    }),
  );
  const { data, error } = SCHEMA.safeParse(written);
  if (error === undefined) return data;
  const messages = error.issues.map(({ path: [name], message }) =>
    name === undefined ? message : mistake(textOf(name as SettingName), written[name as SettingName]),
  );
  throw new ConfigurationError([...new Set(messages)].join('\n'));
}

/** How each setting is documented; the default is what one would write. */
export function documentedSettings(): Record<
  SettingName,
  ReturnType<typeof textOf> & { readonly fallback?: string }
> {
  const entries = Object.entries(AREAS.shape).map(([name, schema]) => [
    name,
    {
      ...textOf(name as SettingName),
      ...(schema instanceof z.ZodPrefault ? { fallback: schema.def.defaultValue } : {}),
    },
  ]);
  return Object.fromEntries(entries) as ReturnType<typeof documentedSettings>;
}

const SETTING_NAMES = Object.keys(AREAS.shape) as SettingName[];

function textOf(name: SettingName): SettingText & { readonly allowed: string } {
  const schema = AREAS.shape[name];
  const text = settings.get(schema);
  const allowed = text?.allowed ?? schema.unwrap().description;
  if (text === undefined || allowed === undefined) throw new Error(`The setting ${name} has no text.`);
  return { ...text, allowed };
}

function mistake({ variable, allowed, secret, credentials }: ReturnType<typeof textOf>, value = ''): string {
  const hidden = credentials === true || value.includes('@') ? withoutPasswords(value) : value;
  const shown = secret === true ? `a secret of ${value.length} characters` : `"${hidden}"`;
  return `${variable} is ${shown}; allowed: ${allowed}.`;
}
