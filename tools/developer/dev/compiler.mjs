import { once } from 'node:events';
import { startChild } from './child.mjs';

const COMPILER = 'tools/developer/dev/native-compiler.mjs';

/** Compiles some projects and what they refer to: only what has changed. At most one process runs at a time. */
export class Compiler {
  child = undefined;
  compiling = undefined;
  isAskedAgain = false;
  isStopped = false;

  /** @param onSuccess called after a run without errors, also after one that wrote nothing */
  constructor(projects, onSuccess) {
    this.projects = projects;
    this.onSuccess = onSuccess;
  }

  /** Requests made while the compiler is running count as one, and are met when it has ended. */
  compile() {
    if (this.compiling !== undefined) this.isAskedAgain = true;
    else this.compiling = this.compileUntilAllIsRead().finally(() => (this.compiling = undefined));
    return this.compiling;
  }

  async stop() {
    this.isStopped = true;
    this.child?.kill('SIGTERM');
    await this.compiling;
  }

  async compileUntilAllIsRead() {
    do {
      this.isAskedAgain = false;
      // Standard output belongs to the service.
      this.child = startChild([COMPILER, '-b', ...this.projects], ['ignore', 2, 2]);
      const [code] = await once(this.child, 'exit');
      if (this.isStopped) return;
      if (code !== 0)
        console.error('The sources do not compile: see above. They are compiled again when changed.');
      else if (!this.isAskedAgain) this.onSuccess();
    } while (this.isAskedAgain);
  }
}
