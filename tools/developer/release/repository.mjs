import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BootstrapError, root, run } from '../../bootstrap/process.mjs';

/** The working tree and its history. */
export class Repository {
  read(file) {
    return readFile(join(root, file), 'utf8');
  }

  async write(file, text) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }

  /** What git printed. */
  async git(...args) {
    const { code, text } = await run('git', args, { output: 'kept' });
    if (code !== 0) throw new BootstrapError(`git ${args.join(' ')}:\n${text}`);
    return text.trim();
  }

  /** Runs a command and shows its output. */
  async run(command, ...args) {
    const { code } = await run(command, args);
    if (code !== 0)
      throw new BootstrapError(`"${[command, ...args].join(' ')}" failed: nothing has been released.`);
  }

  async commit(message) {
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--message', message);
  }

  /** Makes the tree what the last commit has. It was clean when the release began: nobody's work is lost. */
  async restore() {
    await this.git('reset', '--quiet', '--hard');
    await this.git('clean', '--quiet', '--force', '-d');
  }
}
