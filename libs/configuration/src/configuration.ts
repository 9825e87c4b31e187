import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkConfiguration } from './configuration-rules.js';
import { type Environment, readSettings, type ValuesOf } from './setting.js';
import { SETTINGS } from './settings.js';

/** The whole configuration, read once at the start. Nothing else reads the environment. */
export type Configuration = ValuesOf<typeof SETTINGS>;

const workspace = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Reads the configuration from environment variables; an empty one counts as unset.
 * @throws ConfigurationError for the first mistake: which variable, what it holds, what is allowed
 */
export function readConfiguration(environment: Environment): Configuration {
  const read = readSettings(SETTINGS, environment);
  checkConfiguration(read);
  return { ...read, dataDir: isAbsolute(read.dataDir) ? read.dataDir : join(workspace, read.dataDir) };
}
