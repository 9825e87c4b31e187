import type { z } from 'zod';
import { withoutPasswords } from './without-passwords.js';

/** One environment variable: how it is read, and what the docs say of it. */
export interface Setting<Value> extends SettingText {
  readonly schema: z.ZodType<Value, string>;
}

/** How a setting is documented. */
export interface SettingText {
  readonly variable: string;
  readonly meaning: string;
  /** What may be written there, in words; part of the message when something else is. */
  readonly allowed: string;
  /** What holds when the variable is unset or empty, as one would write it; the setting is optional without it. */
  readonly fallback?: string;
  /** Its value is never shown in messages. */
  readonly secret?: boolean;
  /** It is one or more URLs that may hold passwords: messages omit whatever could be part of one. */
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

/** Settings of one area or feature, by the name under which a program reads them. */
export type SettingGroup = Readonly<Record<string, Setting<unknown>>>;

/** The values of a group of settings. */
export type ValuesOf<Group> = {
  readonly [Key in keyof Group]: Group[Key] extends Setting<infer Value> ? Value : never;
};

/** Declares the settings of one area or feature. */
export function defineSettings<Group>(group: Group & SettingGroup): Group {
  return group;
}

/**
 * All settings of several groups.
 * @throws Error when two of them have the same name or read the same variable
 */
export function mergeSettings<Groups extends readonly SettingGroup[]>(
  ...groups: Groups
): MergedGroups<Groups> {
  const merged: Record<string, Setting<unknown>> = {};
  const variables = new Set<string>();
  for (const [name, setting] of groups.flatMap((group) => Object.entries(group))) {
    if (name in merged || variables.has(setting.variable))
      throw new Error(`The setting ${name} (${setting.variable}) is declared twice.`);
    merged[name] = setting;
    variables.add(setting.variable);
  }
  return merged as MergedGroups<Groups>;
}

type MergedGroups<Groups> = Groups extends readonly [infer First, ...infer Rest]
  ? First & MergedGroups<Rest>
  : unknown;

/** The configuration is invalid. The message names the variable, what it holds and what is allowed. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Environment variables as the process got them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables of a group.
 * @throws ConfigurationError for the first one that holds something that is not allowed
 */
export function readSettings<Group extends SettingGroup>(
  group: Group,
  environment: Environment,
): ValuesOf<Group> {
  return Object.fromEntries(
    Object.entries(group).map(([name, setting]) => [name, readSetting(setting, environment)]),
  ) as ValuesOf<Group>;
}

/**
 * Reads one variable.
 * @throws ConfigurationError when it holds something that is not allowed
 */
function readSetting<Value>(setting: Setting<Value>, environment: Environment): Value {
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
