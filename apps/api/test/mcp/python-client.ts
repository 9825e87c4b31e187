import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeSharedFolder, WORKSPACE_CACHE } from '@petstore/test-servers';

const run = promisify(execFile);

/** The official client for Python. */
const PACKAGE = 'mcp==2.3.0';
/** Longest that its packages may take to come, in milliseconds: 20 s on a quiet machine. */
const INSTALL_MS = 300_000;
const CAN_INSTALL = 'import ensurepip, sys, venv; assert sys.version_info >= (3, 10)';

/**
 * The interpreter of a virtual environment with the client, which is made once for each version; `undefined` on a machine
 * without Python >= 3.10 or an index of packages.
 *
 * @throws Error there, too, if all tests must run: with `CI` in the environment, as by `.ci/run`
 */
export async function pythonWithClient(): Promise<string | undefined> {
  const folder = join(WORKSPACE_CACHE, PACKAGE);
  try {
    await makeSharedFolder(folder, async (draft) => {
      await run('python3', ['-c', CAN_INSTALL]);
      await run('python3', ['-m', 'venv', draft]);
      const words = [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '--retries',
        '1',
        '--no-compile',
        PACKAGE,
      ];
      await run(join(draft, 'bin/python'), words, { timeout: INSTALL_MS });
      return draft;
    });
  } catch (error) {
    // oxlint-disable-next-line node/no-process-env -- What a test runs in is no setting of a program.
    if (process.env['CI'] !== undefined) throw error;
    return undefined;
  }
  return join(folder, 'bin/python');
}
