import { join } from 'node:path';
import { root, run } from './process.mjs';

const env = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true' };

/** Runs Nx; its exit code. */
export async function nx(args) {
  return (await run(join(root, 'node_modules/.bin/nx'), args, { env })).code;
}
