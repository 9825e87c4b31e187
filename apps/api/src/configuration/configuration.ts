import { z } from 'zod';
import { ACCESS_SETTINGS } from '../access/access.settings.js';
import { DOCS_SETTINGS } from '../docs/docs.settings.js';
import { MANAGEMENT_SETTINGS } from '../health/management.settings.js';
import { HTTP_SETTINGS } from '../http/http.settings.js';
import { TELEMETRY_SETTINGS } from '../observability/telemetry.settings.js';
import { OPERATION_SETTINGS } from '../operations/operations.settings.js';
import { ORDER_SETTINGS } from '../orders/orders.settings.js';
import { settings, type SettingText } from '../settings/settings.js';
import { STORAGE_SETTINGS } from '../storage/storage.settings.js';
import { WEBHOOK_SETTINGS } from '../webhooks/webhooks.settings.js';

/** The features that have settings, in the order of the table in docs/operations.md. */
const FEATURES = [
  HTTP_SETTINGS,
  OPERATION_SETTINGS,
  MANAGEMENT_SETTINGS,
  TELEMETRY_SETTINGS,
  STORAGE_SETTINGS,
  ACCESS_SETTINGS,
  ORDER_SETTINGS,
  WEBHOOK_SETTINGS,
  DOCS_SETTINGS,
] as const;

type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer All) => void
  ? All
  : never;

/** The declarations of all of them. */
type Shape = Both<(typeof FEATURES)[number]['shape']>;

const SHAPE = Object.assign({}, ...FEATURES.map(({ shape }) => shape)) as Shape;

/** The whole configuration, read once at the start. A feature gets its own part. */
export type Configuration = Readonly<z.output<z.ZodObject<Shape>>>;

/** What injects the settings of each feature, for the root module. */
export function settingsProviders(
  configuration: Configuration,
): readonly { readonly provide: symbol; readonly useValue: Partial<Configuration> }[] {
  return FEATURES.map(({ KEY, shape }) => ({
    provide: KEY,
    useValue: Object.fromEntries(Object.entries(configuration).filter(([name]) => name in shape)),
  }));
}

type SettingName = keyof Configuration;

interface DocumentedSetting extends SettingText {
  readonly allowed: string;
  /** As one would write it. */
  readonly fallback?: string;
}

/** What is said of each setting, in the order of the table in docs/operations.md. */
export const SETTINGS = Object.fromEntries(
  Object.entries(SHAPE).map(([name, schema]) => {
    const text = settings.get(schema);
    const allowed = text?.allowed ?? schema.unwrap().description;
    if (text === undefined || allowed === undefined) throw new Error(`The setting ${name} has no text.`);
    const fallback = schema instanceof z.ZodPrefault ? { fallback: schema.def.defaultValue } : {};
    return [name, { ...text, allowed, ...fallback }];
  }),
) as Readonly<Record<SettingName, DocumentedSetting>>;

/** Environment variables as the process got them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration is invalid. The message has a line for each mistake: the variable, its value, what is allowed. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Rules between settings, checked when each of them is valid by itself. */
const SCHEMA = z.object(SHAPE).superRefine((configuration, context) => {
  if (context.issues.length > 0) return;
  const { databaseUrl, databaseReadUrl, apiKeyPepper } = configuration;
  if (databaseReadUrl !== undefined && databaseUrl === undefined)
    context.addIssue(
      'DATABASE_READ_URL is set and DATABASE_URL is not. It names a replica of that database: set both, or none.',
    );
  if (databaseUrl !== undefined && apiKeyPepper === undefined)
    context.addIssue(
      `API_KEY_PEPPER is not set; allowed: ${SETTINGS.apiKeyPepper.allowed}. It is required with DATABASE_URL, because the API keys there are issued under it.`,
    );
});

/**
 * Reads the configuration from environment variables; an empty one counts as unset.
 * @throws ConfigurationError
 */
export function readConfiguration(environment: Environment): Configuration {
  const written: Readonly<Partial<Record<SettingName, string | undefined>>> = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { variable }]) => {
      const value = environment[variable]?.trim();
      return [name, value === '' ? undefined : value];
    }),
  );
  const { data, error } = SCHEMA.safeParse(written);
  if (error === undefined) {
    requireChosenDatabase(data, written);
    return data;
  }
  const messages = error.issues.map(({ path: [name], message }) =>
    name === undefined ? message : mistake(SETTINGS[name as SettingName], written[name as SettingName]),
  );
  throw new ConfigurationError([...new Set(messages)].join('\n'));
}

/** A misspelt `DATABASE_URL` must not start production on an empty database. */
function requireChosenDatabase(
  { environment }: Configuration,
  { databaseUrl, dataDir }: Readonly<Partial<Record<SettingName, string | undefined>>>,
): void {
  if (environment !== 'production' || databaseUrl !== undefined || dataDir !== undefined) return;
  throw new ConfigurationError(
    'DATABASE_URL is not set; it is required where PETSTORE_ENVIRONMENT is production. ' +
      'To run the embedded database there, set PETSTORE_DATA_DIR to its folder.',
  );
}

function mistake({ variable, allowed, secret, credentials }: DocumentedSetting, value = ''): string {
  const hidden = credentials === true || value.includes('@') ? withoutPasswords(value) : value;
  const shown = secret === true ? `a secret of ${value.length} characters` : `"${hidden}"`;
  return `${variable} is ${shown}; allowed: ${allowed}.`;
}

/** A URL whose parts are beyond doubt: at most one @, and nothing of an authority after the first slash. */
const CLEAR =
  /^(?<scheme>[a-z][a-z0-9+.-]*:\/\/)(?:(?<user>[^:/?#@\s]*)(?<password>:[^/?#@\s]*)?@)?(?<host>\[[0-9a-f:.]+\]|[^:/?#@\s]*)(?<port>:[^/?#@\s]*)?(?<rest>[/?#][^@]*)?$/i;

/** Parameters that hold secrets: of libpq, of pg. */
const SECRET_PARAMETER = /([?&#](?:ssl)?password=)[^&#]*/gi;

const HIDDEN = '***';

/**
 * One URL, or several separated by commas, for a message: nothing is shown that could be a part of a password.
 *
 * The text is invalid. A password in it may contain a plain `@`, `/`, `#` or `?`, at which parsers split differently: of
 * such a text only the scheme is shown.
 */
function withoutPasswords(text: string): string {
  const parts = text.split(',');
  const several = parts.every((part) => /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(part));
  return several ? parts.map((part) => hidden(part.trim())).join(',') : hidden(text);
}

function hidden(text: string): string {
  const groups = CLEAR.exec(text)?.groups;
  if (groups === undefined) return `${/^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0] ?? ''}${HIDDEN}`;
  const { scheme = '', user, password, host = '', port = '', rest = '' } = groups;
  const who = user === undefined ? '' : `${user}${password === undefined ? '' : `:${HIDDEN}`}@`;
  // Without a host in sight, what looks like a port may be the password of what looks like a host.
  const where = port === '' || /^:\d{1,5}$/.test(port) ? port : `:${HIDDEN}`;
  return `${scheme}${who}${host}${where}${rest.replace(SECRET_PARAMETER, `$1${HIDDEN}`)}`;
}
