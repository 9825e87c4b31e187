import { expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { projectsOf } from '../projects.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const projects = projectsOf(ROOT);

/** What a test contains that runs a program: a path into `dist` or `bundle`, the service as a process, or a copy with code. */
const RUNS_PROGRAMS = /['"`/](?:dist|bundle)\/|\bstartPetStore\b|code: ['"]all/;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Folders without sources of ours; the peers of the benchmark are workspaces of their own. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'bundle', '.cache', 'peers']);

/** TypeScript files below a folder, by their paths from the root. */
function typeScriptIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : typeScriptIn(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

const referencesOf = (path: string): string[] =>
  (JSON.parse(read(path)) as { references: { path: string }[] }).references.map((one) => one.path).sort();

it('compiles every project that has something to compile', () => {
  // A project may compile the same sources a second time, as CommonJS.
  const builds = projects.flatMap((project) => [project, `${project}/commonjs`]);
  const compiled = builds.filter((project) => existsSync(join(ROOT, project, 'tsconfig.json')));
  expect(referencesOf('tsconfig.build.json')).toEqual(compiled.sort());
});

// A file of no configuration would be checked with the defaults of the compiler, which find less and other things.
it('tells the type check, lint and editors the configuration of every TypeScript file', () => {
  const configurations = projects.map((project) => `${project}/tsconfig.spec.json`);
  expect(referencesOf('tsconfig.json')).toEqual([...configurations, 'tsconfig.build.json'].sort());
  const covered = projects.flatMap((project) => {
    const { include } = ts.parseConfigFileTextToJson('', read(`${project}/tsconfig.spec.json`)).config as {
      include: string[];
    };
    return include.map((folder) => `${project}/${folder}/`);
  });
  const files = projects.flatMap(typeScriptIn);
  expect(files.filter((file) => !covered.some((folder) => file.startsWith(folder)))).toEqual([]);
});

it.each(projects.filter((project) => existsSync(join(ROOT, project, 'test'))))(
  '%s waits for the compiler before its tests only if they run programs',
  (project) => {
    const files = readdirSync(join(ROOT, project, 'test'), { recursive: true, encoding: 'utf8' });
    const runsPrograms = files
      .filter((file) => /\.(ts|mjs)$/.test(file))
      .some((file) => RUNS_PROGRAMS.test(read(join(project, 'test', file))));
    expect({ waits: waitsForCompiler(project) }).toEqual({ waits: runsPrograms });
  },
);

it.each(projects)('%s is type-checked with all others and can be checked alone', (project) => {
  expect(targetsOf(project)).toMatchObject({ lint: {}, typecheck: {} });
});

type Targets = Readonly<Record<string, { readonly dependsOn?: readonly unknown[] }>>;

function targetsOf(project: string): Targets {
  const manifest = existsSync(join(ROOT, project, 'package.json'))
    ? (JSON.parse(read(join(project, 'package.json'))) as { nx: { targets: Targets } }).nx
    : (JSON.parse(read(join(project, 'project.json'))) as { targets: Targets });
  return manifest.targets;
}

/** Tests may be several targets, on which the first one depends: `test-1-of-3`. */
function waitsForCompiler(project: string): boolean {
  return Object.entries(targetsOf(project))
    .filter(([name]) => name.startsWith('test'))
    .some(([, { dependsOn = [] }]) => dependsOn.some((one) => !String(one).startsWith('test-')));
}

it('keeps the scripts of npm from being targets of Nx, which would run themselves', () => {
  const { nx } = JSON.parse(read('package.json')) as { nx: { includedScripts: string[] } };
  expect(nx.includedScripts).toEqual([]);
});
