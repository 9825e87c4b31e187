import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startChild } from './child.mjs';

/** TypeScript prints this at the end of each round. */
const ROUND = /Found (\d+) errors?\. Watching for file changes\./;

/** `tsc -b --watch` for some projects and what they refer to. */
export class Compiler {
  /** Resolves to `undefined` when the compiler has ended. */
  ended;

  /** @param onSuccess called after each round without errors, also after one that wrote nothing */
  constructor(projects, onSuccess) {
    const arguments_ = ['node_modules/typescript/lib/tsc.js', '-b', '--watch', '--preserveWatchOutput'];
    this.child = startChild([...arguments_, ...projects], ['ignore', 'pipe', 'inherit']);
    this.ended = once(this.child, 'exit').then(() => undefined);
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const [, errors] = ROUND.exec(line) ?? [];
      if (errors === '0') onSuccess();
      // Standard output belongs to the service.
      else if (line.trim() !== '') process.stderr.write(`${line}\n`);
    });
  }

  async stop() {
    this.child.kill('SIGTERM');
    await this.ended;
  }
}
