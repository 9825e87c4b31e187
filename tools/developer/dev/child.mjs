import { spawn } from 'node:child_process';
import { root } from '../../bootstrap/process.mjs';

const END_WITH_PARENT = new URL('end-with-parent.mjs', import.meta.url).href;

/**
 * Starts a Node.js process in the workspace that ends with this one, even when this one is killed.
 *
 * It gets a process group of its own: Ctrl-C in a terminal reaches this process alone, which then stops its children
 * in order.
 */
export function startChild(nodeArguments, stdio) {
  return spawn(process.execPath, ['--import', END_WITH_PARENT, ...nodeArguments], {
    cwd: root,
    stdio,
    detached: true,
  });
}
