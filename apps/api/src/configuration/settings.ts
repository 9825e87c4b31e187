import { z } from 'zod';

/** What messages and docs say of a setting. */
export interface SettingText {
  /** The environment variable. */
  readonly variable: string;
  readonly meaning: string;
  /** What may be written there, in words; part of the message when something else is. */
  readonly allowed: string;
  /** Its value is never shown in messages. */
  readonly secret?: boolean;
  /** It is one or more URLs that may hold passwords: messages omit whatever could be part of one. */
  readonly credentials?: boolean;
}

/**
 * The texts of all settings. The schema of an area stands beside the module that it configures and registers each of
 * its settings here; `.prefault()` has the default as one would write it.
 */
export const settings = z.registry<SettingText>();
