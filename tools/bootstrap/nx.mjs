import { join } from 'node:path';
import { root, run } from './process.mjs';

const PROGRAM = join(root, 'node_modules/nx/dist/bin/nx.js');

const env = {
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  NX_NO_CLOUD: 'true',
  // Without these Nx keeps a copy of itself, and sockets to plugins and terminals, in `/tmp/.nx` for good.
  NX_SKIP_NATIVE_FILE_CACHE: 'true',
  NX_ISOLATE_PLUGINS: 'false',
  NX_NATIVE_COMMAND_RUNNER: 'false',
};

/** Runs Nx; its exit code. */
export async function nx(args) {
  return (await run(process.execPath, [PROGRAM, ...args], { env })).code;
}
