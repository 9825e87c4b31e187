import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError, type Environment, readSetting, type Setting } from './setting.js';
import { SETTINGS } from './settings.js';

type Settings = typeof SETTINGS;

/** The whole configuration, read once at the start. Nothing else looks at the environment. */
export type Configuration = {
  readonly [Key in keyof Settings]: Settings[Key] extends Setting<infer Value> ? Value : never;
};

const workspace = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Reads the configuration from environment variables; an empty one counts as unset.
 * @throws ConfigurationError for the first mistake: which variable, what it holds, what is allowed
 */
export function readConfiguration(environment: Environment): Configuration {
  const read = Object.fromEntries(
    Object.entries(SETTINGS).map(([key, setting]) => [
      key,
      readSetting(setting as Setting<unknown>, environment),
    ]),
  ) as Configuration;
  if (read.databaseUrl !== undefined && read.apiKeyPepper === undefined) {
    const { variable, allowed } = SETTINGS.apiKeyPepper;
    throw new ConfigurationError(
      `${variable} is not set; allowed: ${allowed}. It is required with ${SETTINGS.databaseUrl.variable}, because the hashes of the API keys there are made with it.`,
    );
  }
  if (read.processes > 1 && read.redisUrls === undefined) {
    const { processes, redisUrls } = SETTINGS;
    throw new ConfigurationError(
      `${processes.variable} is ${read.processes} and ${redisUrls.variable} is not set. Without it every process counts by itself, so that a key would get its plan ${read.processes} times: set ${redisUrls.variable}, or run one process.`,
    );
  }
  return { ...read, dataDir: isAbsolute(read.dataDir) ? read.dataDir : join(workspace, read.dataDir) };
}
