import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the workspace. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** How often a step that shows nothing says that it still waits, in milliseconds. */
const SAYS_EVERY_MS = 20_000;

/** Signals that request a stop. */
const STOP = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/** An error that the user can fix; the message says how. */
export class BootstrapError extends Error {}

/** Runs npm or npx, as {@link run}. */
export function runNpm(name, args, options) {
  const [file, ...first] = npmCommand(name);
  return run(file, [...first, ...args], options);
}

/**
 * What runs npm or npx. On Windows both are scripts of the command interpreter, which a program cannot start like
 * others; they start these files, which come with Node.js or with the npm that this process was started by.
 *
 * @param {'npm' | 'npx'} name
 * @param {{ platform: string, env: Record<string, string | undefined>, execPath: string }} system
 * @returns {string[]} a program and its first arguments
 */
export function npmCommand(name, system = process) {
  const { platform, env, execPath } = system;
  if (platform !== 'win32') return [name];
  const started = env.npm_execpath ?? '';
  const folder =
    win32.basename(started) === 'npm-cli.js'
      ? win32.dirname(started)
      : win32.join(win32.dirname(execPath), 'node_modules', 'npm', 'bin');
  return [execPath, win32.join(folder, `${name}-cli.js`)];
}

/**
 * Runs a command to its end, in the workspace unless given and without input unless said.
 *
 * @param output 'inherit': its output is ours; 'kept': nothing is shown, and all of it comes with the exit code. Then it is
 *   a process group of its own, which is stopped as a whole: npx passes no signal on to what its shell runs.
 * @param waitsFor what a step of which nothing is shown waits for; said every 20 s unless given
 */
export function run(
  file,
  args,
  { env = {}, output = 'inherit', input = 'ignore', cwd = root, waitsFor, saysEveryMs = SAYS_EVERY_MS } = {},
) {
  const pipe = output === 'kept' ? 'pipe' : 'inherit';
  const isGroup = output === 'kept' && process.platform !== 'win32';
  const child = spawn(file, args, {
    cwd,
    detached: isGroup,
    env: { ...process.env, ...env },
    stdio: [input, pipe, pipe],
  });
  let requested;
  const forward = (signal) => {
    requested = signal;
    if (isGroup) signalGroup(child.pid, signal);
    else child.kill(signal);
  };
  for (const signal of STOP) process.on(signal, forward);
  const since = Date.now();
  const saying = setInterval(() => {
    if (waitsFor !== undefined)
      console.error(`Still waiting for ${waitsFor} (${Math.round((Date.now() - since) / 1_000)} s).`);
  }, saysEveryMs);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part) => (text += part));
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      clearInterval(saying);
      reject(error);
    });
    child.once('close', (code, signal) => {
      clearInterval(saying);
      for (const name of STOP) process.off(name, forward);
      // Asked to stop while a step was under way, even if that was at its end: there is nothing more to do.
      if (requested !== undefined || STOP.includes(signal))
        process.exit(128 + constants.signals[requested ?? signal]);
      resolve({ code: code ?? 1, text });
    });
  });
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has just ended, or could not be started.
  }
}
