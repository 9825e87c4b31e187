import { z } from 'zod';

/** What messages and docs say of a setting. */
export interface SettingText {
  /** The environment variable. */
  readonly variable: string;
  readonly meaning: string;
  /** What may be written there, in words; part of the message when something else is. Its type says it unless given. */
  readonly allowed?: string;
  /** Its value is never shown in messages. */
  readonly secret?: boolean;
  /** It is one or more URLs that may hold passwords: messages omit whatever could be part of one. */
  readonly credentials?: boolean;
}

/**
 * The texts of all settings. A feature declares its own by {@link defineSettings} and registers each of them here;
 * `.prefault()` has the default as one would write it.
 */
export const settings = z.registry<SettingText>();

/** The settings of one feature. */
export interface FeatureSettings<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** Injects them, and nothing of other features: `@Inject(HTTP_SETTINGS.KEY) settings: HttpSettings`. */
  readonly KEY: symbol;
  readonly shape: Shape;
}

/** The values of a feature's settings. */
export type SettingsOf<Feature extends FeatureSettings> = Readonly<z.output<z.ZodObject<Feature['shape']>>>;

/** @param feature its name, for messages of Nest */
export function defineSettings<Shape extends z.ZodRawShape>(
  feature: string,
  shape: Shape,
): FeatureSettings<Shape> {
  return { KEY: Symbol(`settings of ${feature}`), shape };
}

/** Decimal digits only. */
export const wholeNumber = (min: number, max: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max)
    .describe(`a whole number from ${min} to ${max}`);

/** Plain decimal digits, with a fraction where needed. @param unit in the plural */
export const decimal = (unit: string, min: number, max: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,4}(?:\.\d{1,6})?$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max)
    .describe(`${unit} from ${min} to ${max}`);

/** One of these words. */
export const choice = <const Words extends readonly string[]>(
  words: Words,
): z.ZodType<Words[number], Words[number]> =>
  z.enum(words).describe(`${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`);

/** An IPv4 or IPv6 address, or a host name. */
export const hostName = z
  .string()
  .regex(/^[\w.:-]+$/)
  .describe('an IPv4 or IPv6 address, or a host name');

/** @param protocols those allowed, each with its colon */
export const url = (...protocols: string[]): z.ZodType<string, string> =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), { abort: true });

/** Where an API is: http or https, ends in its version, and holds nothing else that would be published with it. */
export const baseUrl: z.ZodType<string, string> = url('http:', 'https:')
  .refine((text) => {
    const { host, pathname, search, hash, username, password } = new URL(text);
    const isPlain = [search, hash, username, password].every((part) => part === '');
    return isPlain && /^[\w.:[\]-]+$/.test(host) && pathname.endsWith('/v1');
  })
  .describe('an http or https URL that ends in /v1');

/**
 * Whether every parser splits a URL at the same places. With a plain `@`, `/`, `?` or `#` in the password, the host would be
 * a part of the password, and shown in messages.
 */
export function isUnambiguous(text: string): boolean {
  const [, authority = '', rest = ''] = /^[^/]*\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (rest.includes('@') || authority.split('@').length > 2) return false;
  try {
    // The result is used: a bundler drops a call without a use, although it may throw.
    return typeof decodeURIComponent(authority) === 'string';
  } catch {
    return false;
  }
}

/** Items separated by commas; spaces around them do not count. */
export const list = <Value>(item: z.ZodType<Value, string>): z.ZodType<readonly Value[], string> =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item));

/** `on` or `off`. */
export const onOff: z.ZodType<boolean, string> = z
  .enum(['on', 'off'])
  .transform((word) => word === 'on')
  .describe('on or off');

/** An address or a network in CIDR notation (RFC 4632, RFC 4291). */
export const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** A name that can be looked up (RFC 1035, section 2.3.4), or an IPv6 address: no wildcard is either. */
const REACHABLE = /^(?=.{1,254}$)(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?|\[.+\])$/;

/** An origin as browsers send it (RFC 6454, section 6.1): scheme, host and port, nothing else. Others match no page. */
const origin = url('http:', 'https:').refine((text) => {
  const { origin: sent, hostname, port } = new URL(text);
  return sent === text && REACHABLE.test(hostname) && port !== '0';
});

/** `*`, or origins separated by commas. */
export const origins: z.ZodType<'*' | readonly string[], string> = z.union([z.literal('*'), list(origin)]);
