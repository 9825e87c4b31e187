import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT, renderGuide } from './bootstrap/build.mjs';
import { root } from './bootstrap/process.mjs';

const SERVICE = 'apps/api/bundle/main.js';

/** The service stops by itself within 9.5 s. */
const STOP_TIMEOUT_MS = 10_000;

/** Preloaded by the service: its input is a pipe from this process, which ends when this process does, even if killed. */
const END_WITH_PARENT =
  'data:text/javascript,process.stdin.on("end",()=>process.kill(process.pid,"SIGTERM")).resume().unref()';

/**
 * `npm run dev`: bundles the service after each change of a source and restarts it when that succeeds; until then the
 * last good version keeps running. Resolves after SIGINT or SIGTERM, when the service has stopped.
 *
 * @param {string[]} nodeArguments for the service's process, such as `--inspect`
 */
export async function dev(nodeArguments) {
  // Imported here: `npm start` loads this folder without needing the watcher.
  const [{ watch }, { bundles }] = await Promise.all([
    import('./bundle/watch.mjs'),
    import('./bundle/programs.mjs'),
  ]);
  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, resolve);
  });
  // What is bundled from here on is no longer what `npm start` has built.
  rmSync(BUILT, { force: true });
  await renderGuide();

  let service;
  let restarting = Promise.resolve();
  const restart = () => {
    restarting = restarting.then(async () => {
      await stop(service);
      service = start(nodeArguments);
    });
  };
  const [{ input, output }] = bundles(['apps/api']);
  const watcher = watch({ ...input, output });
  watcher.on('event', async (event) => {
    if (event.code === 'BUNDLE_END') restart();
    if (event.code === 'ERROR')
      console.error(`${event.error.message}\nNot restarted: the sources have an error.`);
    if ('result' in event) await event.result.close();
  });
  await stopped;
  await watcher.close();
  await restarting;
  await stop(service);
}

function start(nodeArguments) {
  const child = spawn(
    process.execPath,
    [
      '--max-semi-space-size=24',
      ...nodeArguments,
      '--import',
      END_WITH_PARENT,
      '--enable-source-maps',
      join(root, SERVICE),
    ],
    // A process group of its own: Ctrl-C in a terminal signals only this process, which then stops the service.
    { cwd: root, stdio: ['pipe', 'inherit', 'inherit'], detached: true },
  );
  child.once('exit', (code, signal) => {
    if (!child.killed)
      console.error(`The service exited (${signal ?? code}). It starts again after the next change.`);
  });
  return child;
}

async function stop(child) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(timer);
}
