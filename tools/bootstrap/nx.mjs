import { runPackage } from './process.mjs';

const env = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true' };

/** Runs Nx; its exit code. */
export async function nx(args) {
  return (await runPackage('nx/dist/bin/nx.js', args, { env })).code;
}
