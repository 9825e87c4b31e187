import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ROOT_FILES = [
  'nx.json',
  'eslint.config.mjs',
  'tsconfig.base.json',
  'package.json',
  'pnpm-workspace.yaml',
  'pnpm-lock.yaml',
];
const PROJECT_FILES = ['package.json', 'tsconfig.json', 'tsconfig.spec.json'];

/**
 * The workspace with its rules, its projects and no code, in a temporary folder: a forbidden import can be
 * planted there and never be left behind in the real one.
 */
export class WorkspaceCopy {
  private constructor(private readonly path: string) {}

  static async create(): Promise<WorkspaceCopy> {
    const path = await mkdtemp(join(tmpdir(), 'petstore-boundaries-'));
    const copy = new WorkspaceCopy(path);
    try {
      await copy.fill();
      return copy;
    } catch (error) {
      await copy.remove();
      throw error;
    }
  }

  private async fill(): Promise<void> {
    for (const file of ROOT_FILES) await copyFile(join(ROOT, file), join(this.path, file));
    await linkPackages(this.path);
    for (const group of ['apps', 'libs', 'tools']) {
      for (const name of await readdir(join(ROOT, group))) await copyProject(this.path, join(group, name));
    }
  }

  /** Puts a file into `src` of a project, given by its folder such as `libs/pet-domain`. */
  async plant(project: string, file: string, source: string): Promise<void> {
    await writeFile(join(this.path, project, 'src', file), source);
  }

  /** Lints through Nx, as `npm test` does: what ESLint complained of, by file. */
  async lint(projects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const names = projects.map((project) => `@petstore/${project.slice(project.indexOf('/') + 1)}`);
    const args = ['run-many', '-t', 'lint', '-p', ...names, '--skip-nx-cache', '--output-style=static'];
    return findings(await this.nx(args), this.path);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }

  private async nx(args: readonly string[]): Promise<string> {
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: this.path,
      NX_DAEMON: 'false',
      NO_COLOR: '1',
    };
    const nx = join(this.path, 'node_modules/.bin/nx');
    const result = promisify(execFile)(nx, args, { cwd: this.path, env, maxBuffer: 16 * 1024 * 1024 });
    // Lint that finds something fails; what it found is in the output all the same.
    const { stdout, stderr } = await result.catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );
    return stdout + stderr;
  }
}

async function copyProject(path: string, project: string): Promise<void> {
  const manifest = await readFile(join(ROOT, project, 'package.json'), 'utf8').catch(() => undefined);
  if (manifest === undefined) return;
  await mkdir(join(path, project, 'src'), { recursive: true });
  for (const file of await readdir(join(ROOT, project))) {
    if (PROJECT_FILES.includes(file)) await copyFile(join(ROOT, project, file), join(path, project, file));
  }
  await writeFile(join(path, project, 'src/index.ts'), 'export const nothing = 0;\n');
}

/**
 * The real packages, but without the start scripts that pnpm puts into `.bin`: those would let Nx find
 * the real workspace's libs instead of the copied ones.
 */
async function linkPackages(path: string): Promise<void> {
  const packages = join(path, 'node_modules');
  await mkdir(join(packages, '.bin'), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name !== '.bin') await symlink(join(ROOT, 'node_modules', name), join(packages, name));
  }
  for (const name of ['nx', 'eslint']) {
    const manifest = JSON.parse(await readFile(join(packages, name, 'package.json'), 'utf8')) as Manifest;
    const program = typeof manifest.bin === 'string' ? manifest.bin : (manifest.bin[name] ?? '');
    await symlink(join(packages, name, program), join(packages, '.bin', name));
  }
}

interface Manifest {
  readonly bin: string | Readonly<Record<string, string>>;
}

/** ESLint prints a file's path on a line, below it its complaints, and at the end their number. */
function findings(output: string, path: string): Map<string, string> {
  const found = new Map<string, string>();
  let current = '';
  for (const line of stripVTControlCharacters(output).split('\n')) {
    if (line.startsWith(`${path}/`)) current = line.slice(path.length + 1).trim();
    else if (/^[>✖]/.test(line)) current = '';
    else if (current !== '') found.set(current, `${found.get(current) ?? ''}${line}\n`);
  }
  return found;
}
