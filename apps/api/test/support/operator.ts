import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../src/configuration/configuration.js';

/** The operator's tool, as it is built. */
export const OPERATOR = fileURLToPath(new URL('../../../operator-cli/bundle/main.js', import.meta.url));

/** Runs a command of the operator's tool to its end, and rejects with what it wrote if it fails. */
export const operate = (environment: Environment, ...args: readonly string[]): Promise<unknown> =>
  promisify(execFile)(process.execPath, [OPERATOR, ...args], { env: environment });
