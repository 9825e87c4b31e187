import { join } from 'node:path';
import { root, run } from './process.mjs';

const env = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true' };

/** Runs Nx; its exit code. */
export async function nx(args) {
  return (await run(binary(), args, { env })).code;
}

/** Runs Nx without showing anything; exit code and output. */
export function quietNx(args) {
  return run(binary(), args, { env, output: 'kept' });
}

function binary() {
  return join(root, 'node_modules/.bin/nx');
}
