import { once } from 'node:events';
import { startChild } from './child.mjs';

/** The service stops by itself within 9.5 s; one that has not is killed. */
const STOP_TIMEOUT_MS = 10_000;

/** A program of which at most one process runs at a time. */
export class RestartingProgram {
  child = undefined;
  restarting = undefined;
  isAskedAgain = false;
  isStopped = false;

  constructor(nodeArguments) {
    this.nodeArguments = nodeArguments;
  }

  /** Stops the running process, if there is one, and starts a new one. Requests made meanwhile count as one. */
  restart() {
    if (this.restarting !== undefined) this.isAskedAgain = true;
    else this.restarting = this.replace().finally(() => (this.restarting = undefined));
    return this.restarting;
  }

  /** Stops the process for good. */
  async stop() {
    this.isStopped = true;
    await this.restarting;
    await this.end();
  }

  async replace() {
    do {
      this.isAskedAgain = false;
      await this.end();
      if (!this.isStopped) this.start();
    } while (this.isAskedAgain);
  }

  start() {
    const child = startChild(this.nodeArguments, ['ignore', 'inherit', 'inherit']);
    this.child = child;
    child.once('exit', (code, signal) => {
      if (this.child !== child) return;
      this.child = undefined;
      console.error(`The service ended (${signal ?? code}). It starts again after the next change.`);
    });
  }

  async end() {
    const { child } = this;
    if (child === undefined) return;
    this.child = undefined;
    const gone = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.kill('SIGTERM');
    await gone;
    clearTimeout(timer);
  }
}
