import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const json = (path: string): unknown => JSON.parse(read(path));
const isThere = (path: string): boolean => existsSync(join(ROOT, path));

const projects = ['apps', 'libs', 'tools']
  .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`))
  .filter((folder) => isThere(`${folder}/package.json`) || isThere(`${folder}/project.json`));

describe('the root configurations of TypeScript', () => {
  const referencesOf = (path: string): string[] =>
    (json(path) as { references: { path: string }[] }).references.map((one) => one.path).sort();

  it('compile every project that has something to compile', () => {
    // A project may compile the same sources a second time, as CommonJS.
    const builds = projects.flatMap((project) => [project, `${project}/commonjs`]);
    const compiled = builds.filter((project) => isThere(`${project}/tsconfig.json`));
    expect(referencesOf('tsconfig.build.json')).toEqual(compiled.sort());
  });

  it('check the types of every project that has tests with them', () => {
    const tested = projects.filter((project) => isThere(`${project}/jest.config.mjs`));
    const checked = tested.map((project) => `${project}/tsconfig.spec.json`);
    expect(referencesOf('tsconfig.json')).toEqual([...checked, 'tsconfig.build.json'].sort());
  });
});

describe('the oldest Node.js', () => {
  it('is the same in package.json, for version managers and in the workflow', () => {
    const { engines } = json('package.json') as { engines: { node: string } };
    const oldest = engines.node.replace('>=', '');
    expect(read('.nvmrc').trim()).toBe(oldest);
    expect(read('.github/workflows/ci.yml')).toContain(`node: ['${oldest}'`);
  });
});

describe('libs', () => {
  it.each(readdirSync(join(ROOT, 'libs')))('%s has one owner, and its imports are restricted', (lib) => {
    expect(read('.github/CODEOWNERS')).toMatch(new RegExp(`^/libs/${lib}/ +\\S+$`, 'm'));
    expect(read('.oxlintrc.json')).toContain(`"files": ["libs/${lib}/**"]`);
  });
});

describe('the workflows', () => {
  it.each(readdirSync(join(ROOT, '.github/workflows')))(
    '%s: names actions of others by their commits',
    (file) => {
      const actions = [...read(`.github/workflows/${file}`).matchAll(/uses: (\S+)/g)].map(
        ([, action = '']) => action,
      );
      expect(actions).not.toEqual([]);
      const others = actions.filter((action) => !action.startsWith('github/codeql-action/'));
      expect(others.filter((action) => !/^[\w/-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
    },
  );
});

describe('dependencies', () => {
  const lockfile = read('pnpm-lock.yaml');
  const workspace = read('pnpm-workspace.yaml');

  it('are locked with a sha512 checksum, from no particular host, and none is deprecated', () => {
    const resolutions = lockfile.match(/resolution: .*/g) ?? [];
    expect(resolutions.length).toBeGreaterThan(100);
    expect(resolutions.filter((line) => !line.startsWith('resolution: {integrity: sha512-'))).toEqual([]);
    expect(lockfile).not.toMatch(/https?:\/\/|git\+|tarball:|deprecated:/);
  });

  it('run no install script', () => {
    expect(workspace).toMatch(/^ignoreScripts: true$/m);
  });

  it('have one exact version each, in the catalog, from which all projects take them', () => {
    const catalog = /^catalog:\n((?: {2}.*\n)+)/m.exec(workspace)?.[1] ?? '';
    const versions = [...catalog.matchAll(/^ {2}\S+: (.*)$/gm)].map(([, version]) => version);
    expect(versions.length).toBeGreaterThan(50);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version ?? ''))).toEqual([]);
    for (const path of ['package.json', ...projects.map((project) => `${project}/package.json`)].filter(
      isThere,
    )) {
      const { dependencies, devDependencies, optionalDependencies } = json(path) as Record<string, object>;
      const taken = Object.values({
        ...dependencies,
        ...devDependencies,
        ...optionalDependencies,
      }) as string[];
      const others = taken.filter((version) => !/^(?:catalog:\w*|workspace:\*)$/.test(version));
      expect([path, ...others]).toEqual([path]);
    }
  });
});

describe('SECURITY.md', () => {
  const policy = read('SECURITY.md');

  /** Paths of the workspace in code: `apps/api/test/x.spec.ts`, `deploy/`. */
  const filesIn = (markdown: string): string[] =>
    [...markdown.matchAll(/`((?:apps|libs|tools|docs|deploy)\/[\w./*-]*)`/g)].map(([, path = '']) => path);

  it('names only files that exist', () => {
    expect(filesIn(policy).length).toBeGreaterThan(15);
    expect(filesIn(policy).filter((path) => !isThere(path))).toEqual([]);
  });

  it('names a test for each guarantee', () => {
    const rows = [...policy.matchAll(/^\| (?!attack|-).* \| .* \| (.*) \|$/gm)].map(
      ([, tests = '']) => tests,
    );
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((tests) => !filesIn(tests).some((path) => /\.spec\.ts$|\/test$/.test(path)))).toEqual(
      [],
    );
  });
});
