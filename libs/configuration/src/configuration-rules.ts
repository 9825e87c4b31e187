import { ConfigurationError, type ValuesOf } from './setting.js';
import { SETTINGS } from './settings.js';

/**
 * Rules between settings.
 * @throws ConfigurationError
 */
export function checkConfiguration(read: ValuesOf<typeof SETTINGS>): void {
  const { apiKeyPepper, databaseUrl, processes, redisUrls } = SETTINGS;
  if (read.databaseUrl !== undefined && read.apiKeyPepper === undefined) {
    throw new ConfigurationError(
      `${apiKeyPepper.variable} is not set; allowed: ${apiKeyPepper.allowed}. It is required with ${databaseUrl.variable}, because the API keys there are issued under it.`,
    );
  }
  if (read.processes > 1 && read.redisUrls === undefined) {
    throw new ConfigurationError(
      `${processes.variable} is ${read.processes} and ${redisUrls.variable} is not set. Without it every process counts by itself, so that a key would get its plan ${read.processes} times: set ${redisUrls.variable}, or run one process.`,
    );
  }
}
