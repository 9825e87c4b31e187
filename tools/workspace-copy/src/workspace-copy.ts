import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { parentInMemory } from '@petstore/memory-folder';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const GROUPS = ['apps', 'libs', 'tools'];
/** What makes a folder of `apps`, `libs` or `tools` a project. */
const PROJECT_FILES = [
  'package.json',
  'project.json',
  'tsconfig.json',
  'tsconfig.spec.json',
  'jest.config.mjs',
];
/** Folders of the root that are made by programs, and those that are linked or copied in another way. */
const LEFT_OUT = new Set(['.git', '.nx', '.data', '.cache', 'node_modules', ...GROUPS]);
/** Commands of packages that a copy needs. */
const COMMANDS = ['nx', 'eslint', 'oxlint', 'oxlint-tsgolint', 'prettier'];
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** How a copy is made. */
export interface WorkspaceCopyOptions {
  /** `none`: every project has an index that exports nothing. `all`: sources, tests and what was built. */
  readonly code: 'none' | 'all';
}

/** How a command ended, and what it printed. */
export interface CommandResult {
  readonly code: number;
  /** Standard output, then standard error, without colours. */
  readonly text: string;
}

/** The workspace in a temporary folder, with the installed packages of the real one: tests may change it as they like. */
export class WorkspaceCopy {
  private constructor(readonly path: string) {}

  static async create(options: WorkspaceCopyOptions): Promise<WorkspaceCopy> {
    const copy = new WorkspaceCopy(await mkdtemp(join(await parentInMemory(), 'petstore-workspace-')));
    try {
      await copy.fill(options);
      return copy;
    } catch (error) {
      await copy.remove();
      throw error;
    }
  }

  /** Writes a file, given by its path from the root. */
  async write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.path, file)), { recursive: true });
    await writeFile(join(this.path, file), text);
  }

  read(file: string): Promise<string> {
    return readFile(join(this.path, file), 'utf8');
  }

  /** Runs Nx without its daemon and without reading its cache. */
  nx(...args: readonly string[]): Promise<CommandResult> {
    return this.run('node_modules/.bin/nx', ...args, '--skip-nx-cache', '--output-style=static');
  }

  /** Runs a command to its end; resolves however that is. */
  run(command: string, ...args: readonly string[]): Promise<CommandResult> {
    return new Promise((resolve) => {
      const options = { cwd: this.path, env: this.environment(), maxBuffer: MAX_OUTPUT_BYTES };
      execFile(command, args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, text: stripVTControlCharacters(stdout + stderr) });
      });
    });
  }

  /** Starts a Node.js program of the workspace. Whoever starts it ends it. */
  start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, args, {
      cwd: this.path,
      env: { ...this.environment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }

  private environment(): Record<string, string> {
    return {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: this.path,
      NX_DAEMON: 'false',
      // As in the workspace itself: nothing of Nx is left in `/tmp`.
      NX_SKIP_NATIVE_FILE_CACHE: 'true',
      NX_ISOLATE_PLUGINS: 'false',
      NX_NATIVE_COMMAND_RUNNER: 'false',
      NO_COLOR: '1',
      // Commits in a copy have an author whatever the machine knows of one.
      GIT_AUTHOR_NAME: 'test',
      GIT_AUTHOR_EMAIL: 'test@localhost',
      GIT_COMMITTER_NAME: 'test',
      GIT_COMMITTER_EMAIL: 'test@localhost',
    };
  }

  private async fill({ code }: WorkspaceCopyOptions): Promise<void> {
    await this.copyAllOf('.', (name) => !LEFT_OUT.has(name));
    await this.linkPackages();
    for (const group of GROUPS) {
      if (code === 'all') await this.copyGroup(group);
      else await this.copyFrames(group);
    }
  }

  private async copyGroup(group: string): Promise<void> {
    for (const entry of await readdir(join(ROOT, group), { withFileTypes: true })) {
      const path = join(group, entry.name);
      // Other tests write results there meanwhile.
      if (entry.isDirectory()) await this.copyAllOf(path, (name) => name !== '.cache');
      else await this.copy(path);
    }
  }

  /** What is in a folder, but for some of it. */
  private async copyAllOf(folder: string, isCopied: (name: string) => boolean): Promise<void> {
    const names = (await readdir(join(ROOT, folder))).filter(isCopied);
    const sources = names.map((name) => join(ROOT, folder, name));
    await mkdir(join(this.path, folder), { recursive: true });
    // The system's command takes a tenth of the time of Node.js' `cp`. Links between projects stay inside the copy, and built files stay
    // newer than their sources.
    if (sources.length > 0) await run('cp', ['-RPp', ...sources, join(this.path, folder)]);
  }

  private async copy(path: string): Promise<void> {
    await mkdir(dirname(join(this.path, path)), { recursive: true });
    await cp(join(ROOT, path), join(this.path, path), { preserveTimestamps: true });
  }

  /** The projects of a group, and the files beside them, which commands of the workspace load. */
  private async copyFrames(group: string): Promise<void> {
    for (const entry of await readdir(join(ROOT, group), { withFileTypes: true })) {
      const path = join(group, entry.name);
      await (entry.isFile() ? this.copy(path) : this.copyFrame(path));
    }
  }

  /** A project with its configuration and no code. */
  private async copyFrame(project: string): Promise<void> {
    const files = await readdir(join(ROOT, project)).catch((): string[] => []);
    if (!files.includes('package.json')) return;
    for (const file of files.filter((name) => PROJECT_FILES.includes(name)))
      await this.copy(join(project, file));
    await this.write(join(project, 'src/index.ts'), 'export const nothing = 0;\n');
  }

  /**
   * The real packages, but without the start scripts that pnpm puts into `.bin`: those would let Nx find
   * the real workspace's libs instead of the copied ones.
   */
  private async linkPackages(): Promise<void> {
    const packages = join(this.path, 'node_modules');
    await mkdir(join(packages, '.bin'), { recursive: true });
    for (const name of await readdir(join(ROOT, 'node_modules'))) {
      if (name !== '.bin') await symlink(join(ROOT, 'node_modules', name), join(packages, name));
    }
    for (const name of COMMANDS) {
      const { bin } = JSON.parse(await readFile(join(packages, name, 'package.json'), 'utf8')) as Manifest;
      const programs = typeof bin === 'string' ? { [name]: bin } : bin;
      for (const [command, program] of Object.entries(programs))
        await symlink(join(packages, name, program), join(packages, '.bin', command));
    }
  }
}

interface Manifest {
  readonly bin: string | Readonly<Record<string, string>>;
}
