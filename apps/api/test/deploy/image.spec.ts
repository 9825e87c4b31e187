import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-servers';
import { read, ROOT } from './deploy-files.js';

const run = promisify(execFile);
const TIMEOUT_MS = 120_000;

const [, build = '', final = ''] = read('deploy/Dockerfile').split(/^FROM /m);
/** Their commands: what is mounted is for a registry of one's own. */
const steps = [...build.matchAll(/^RUN (?:--mount=\S+ )?(.+)$/gm)].map(([, step = '']) => step);

interface Target {
  readonly outputs: readonly string[];
  readonly options: { readonly command: string };
}
interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly nx: { readonly targets: Record<string, Target | undefined> };
}
const manifestOf = (project: string): Manifest => JSON.parse(read(`${project}/package.json`)) as Manifest;

/** What the suite has made by the same commands as the image: the bundles and the pages of the guide. */
const made = [
  manifestOf('tools/bundle').nx.targets['bundle'],
  manifestOf('tools/guide').nx.targets['render'],
];
/** The steps that follow: what they leave is the image. */
const lastSteps = steps.slice(1 + made.length);

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder('image');
});
afterAll(() => folder.remove());

/** What a build starts from: the workspace without what the build leaves out. */
async function copyContext(): Promise<void> {
  const patterns = read('deploy/Dockerfile.dockerignore').trim().split('\n');
  const anywhere = new Set(patterns.filter((line) => line.startsWith('**/')).map((line) => line.slice(3)));
  const atRoot = new Set(patterns.filter((line) => !line.startsWith('**/')));
  await cp(ROOT, folder.path, {
    recursive: true,
    filter: (source) => {
      const path = relative(ROOT, source);
      return !atRoot.has(path) && !anywhere.has(path.split('/').at(-1) ?? '');
    },
  });
}

/** Packages that the modules of a project import, tests apart. */
function packagesOf(project: string): string[] {
  const isTool = project.startsWith('tools/');
  const folder = isTool ? project : `${project}/src`;
  const modules = readdirSync(join(ROOT, folder), { recursive: !isTool, encoding: 'utf8' }).filter(
    (file) => /\.(?:ts|mjs)$/.test(file) && !/\.spec\.ts$|^testing\/|jest/.test(file),
  );
  const imports = modules.flatMap((file) => [
    ...read(`${folder}/${file}`).matchAll(/^(?:import|export) (?!type )(?:[^'";]* from )?'([^.'][^']*)'/gm),
  ]);
  const names = imports.map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '');
  return [...new Set(names)].filter((name) => !isBuiltin(name));
}

/** What is bundled, and what bundles and renders it. */
const bundled = [
  ...['tools/bundle', 'tools/guide', 'apps/api', 'apps/operator-cli'],
  ...readdirSync(join(ROOT, 'libs')).map((name) => `libs/${name}`),
];

describe('the image', () => {
  it('makes bundles and pages as the workspace does', () => {
    expect(steps.slice(1, 1 + made.length)).toEqual(made.map((target) => target?.options.command));
  });

  it('has its packages looked for where they are', () => {
    expect(packagesOf('apps/api')).toContain('zod');
    expect(packagesOf('tools/bundle')).toEqual(['rolldown']);
  });

  it.each(bundled)('has all packages that %s imports: none of them is for development alone', (project) => {
    const { dependencies = {}, peerDependencies = {} } = manifestOf(project);
    const installed = Object.keys({ ...dependencies, ...peerDependencies });
    expect(packagesOf(project).filter((name) => !installed.includes(name))).toEqual([]);
  });

  it(
    'starts the service and the tools without sources, from what its last steps leave',
    async () => {
      await copyContext();
      for (const output of made.flatMap((target) => target?.outputs ?? [])) {
        const path = output.replace('{workspaceRoot}/', '');
        await cp(join(ROOT, path), join(folder.path, path), { recursive: true });
      }
      const options = { cwd: folder.path, maxBuffer: 1 << 26 };
      expect(lastSteps.length).toBeGreaterThan(1);
      for (const step of lastSteps) {
        // Rejects with the output of the step that failed.
        await run('/usr/bin/env', ['CI=true', '/bin/sh', '-c', step], options);
      }
      const isThere = (path: string): boolean => existsSync(join(folder.path, path));
      const copied = [...final.matchAll(/^COPY --from=build \/app\/(\S+)/gm)].map(([, path = '']) => path);
      expect(copied.filter((path) => !isThere(path))).toEqual([]);
      for (const tool of ['typescript', 'oxlint', 'rolldown'])
        expect(isThere(`node_modules/${tool}`)).toBe(false);
      expect(isThere('apps/api/src')).toBe(false);
      // One build is the image of every processor.
      const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
      expect(files.filter((file) => /\.(?:node|so|dylib|wasm)$/.test(file))).toEqual([]);
      expect(isThere('apps/api/dist/pages/br/docs/guide.html')).toBe(true);

      const command = /^CMD (.+)$/m.exec(final)?.[1] ?? '[]';
      const [, ...words] = JSON.parse(command) as string[];
      const outcome = (...args: string[]): Promise<string> =>
        run(process.execPath, args, { ...options, env: {} }).then(
          () => 'ended well',
          (error: unknown) => (error as { readonly stderr: string }).stderr,
        );
      // Everything is loaded; the image carries no database of its own, and says so.
      expect(await outcome(...words)).toMatch(/^No embedded PostgreSQL is installed .* Point DATABASE_URL /);
      expect(await outcome('apps/operator-cli/bundle/main.js', 'migrate')).toMatch(/Point DATABASE_URL/);
      expect(await outcome('apps/operator-cli/bundle/main.js', 'keys', 'list')).toMatch(/Point DATABASE_URL/);
    },
    TIMEOUT_MS,
  );
});
