import { once } from 'node:events';
import { startChild } from './child.mjs';
import { Compiler } from './compiler.mjs';
import { outputStamp } from './output-stamp.mjs';
import { RestartingProgram } from './restarting-program.mjs';
import { SourceWatch } from './source-watch.mjs';

const SERVICE = 'apps/api/dist/main.js';

/**
 * Runs the service and restarts it when a source has changed: the compiler is run after each change, and the service
 * starts anew when that has changed its output. While the sources do not compile, the last good version keeps running.
 *
 * @param nodeArguments for the service's process, such as `--inspect`
 * @returns the exit code, once SIGINT or SIGTERM has stopped both processes
 */
export async function runDev(nodeArguments) {
  const signal = stopSignal();
  // Once: what is changed in the guide shows after the next start.
  await once(startChild(['tools/guide/render.mjs'], ['ignore', 'ignore', 'inherit']), 'exit');
  const service = new RestartingProgram([...nodeArguments, '--enable-source-maps', SERVICE]);
  let running = '';
  const compiler = new Compiler(['apps/api', 'apps/operator-cli'], () => {
    const stamp = outputStamp();
    if (stamp === running) return;
    running = stamp;
    void service.restart();
  });
  const sources = new SourceWatch(() => void compiler.compile());
  void compiler.compile();
  await signal;
  sources.stop();
  await Promise.all([service.stop(), compiler.stop()]);
  return 0;
}

function stopSignal() {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve(signal));
  });
}
