import { existsSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../bootstrap/process.mjs';

/** Longer than what passes between two files of one save, or of one checkout, in milliseconds. */
const QUIET_MS = 100;

/** What a compiler reads. A name without a dot is a folder that has come or gone. */
const CONCERNS = /\.ts$|^tsconfig.*\.json$|^package\.json$|^[^.]+$/;

/**
 * Calls back once after each group of changes of the sources of apps and libs, after which it sees every later change.
 * It watches folders, which tell of their files: some hundred, where files would be a thousand.
 */
export class SourceWatch {
  watchers = [];
  timer = undefined;

  constructor(onChange) {
    this.onChange = onChange;
    this.watchAll();
  }

  stop() {
    clearTimeout(this.timer);
    for (const watcher of this.watchers) watcher.close();
    this.watchers = [];
  }

  /** All anew: a folder of the same name may be another one by now. */
  watchAll() {
    this.stop();
    try {
      for (const folder of sourceFolders()) this.watch(folder);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      // A folder went in between.
      this.expectMore();
    }
  }

  watch(folder) {
    const watcher = watch(folder, (_event, name) => {
      // Some systems do not tell the name.
      if (name === null || CONCERNS.test(name)) this.expectMore();
    });
    // Where the removal of a folder is an error of its watcher.
    watcher.on('error', () => this.expectMore());
    this.watchers.push(watcher);
  }

  expectMore() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.watchAll();
      this.onChange();
    }, QUIET_MS);
  }
}

/** The folder of each app and lib, and all folders of its sources. */
function sourceFolders() {
  return ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((name) => {
      const project = join(root, group, name);
      return existsSync(join(project, 'src')) ? [project, ...foldersIn(join(project, 'src'))] : [];
    }),
  );
}

function foldersIn(folder) {
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inside.flatMap(({ name }) => foldersIn(join(folder, name)))];
}
