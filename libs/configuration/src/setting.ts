import type { z } from 'zod';
import { withoutPasswords } from './without-passwords.js';

/** One environment variable: how it is read, and what the docs say of it. */
export interface Setting<Value> extends SettingText {
  readonly schema: z.ZodType<Value, string>;
}

/** The words about a setting. */
export interface SettingText {
  readonly variable: string;
  readonly meaning: string;
  /** What may be written there, in words; part of the message when something else is. */
  readonly allowed: string;
  /** What holds when the variable is unset or empty, as one would write it; nothing when left out. */
  readonly fallback?: string;
  /** Its value is never shown. */
  readonly secret?: boolean;
  /** It is a URL, or several, and may hold a password: shown without whatever could be a part of one. */
  readonly credentials?: boolean;
}

/** A setting that always has a value. */
export function settingWithDefault<Value>(
  definition: Setting<Value> & { readonly fallback: string },
): Setting<Value> {
  return definition;
}

/** A setting whose absence means something. */
export function optionalSetting<Value>(definition: Setting<Value>): Setting<Value | undefined> {
  return definition;
}

/** A mistake in the configuration. The message names the variable, what it holds and what is allowed. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Environment variables as the process got them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads one variable.
 * @throws ConfigurationError when it holds something that is not allowed
 */
export function readSetting<Value>(setting: Setting<Value>, environment: Environment): Value {
  const held = environment[setting.variable]?.trim();
  const text = held === undefined || held === '' ? setting.fallback : held;
  // Only an optional setting has no fallback, and its values include undefined.
  if (text === undefined) return undefined as Value;
  const parsed = setting.schema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(
    `${setting.variable} is ${shownValue(setting, text)}; allowed: ${setting.allowed}.`,
  );
}

function shownValue({ secret, credentials }: SettingText, text: string): string {
  if (secret === true) return `a secret of ${text.length} characters`;
  return `"${credentials === true || text.includes('@') ? withoutPasswords(text) : text}"`;
}
