import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageOf } from '../package-of.mjs';
import { bundles, embedded, LEFT_OUT, noDroppedCalls, OPTIONAL, PROGRAMS } from '../programs.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What helpers of Nest ask for that derive one DTO from another. The bundle's own copy would not hold what they note. */
const FOR_DERIVED = ['class-validator', 'class-transformer'];

/** What ajv, which the protocol of assistants brings, names in code that it writes for files; here it writes none. */
const FOR_FILES = ['ajv', 'ajv-formats'];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const folders = PROGRAMS.map((project) => `${project}/bundle`);
const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.js'));
/** What a file needs before it runs. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export)\b[^'"]*?["']([^'"]+)["'];$/gm)].map(
    ([, specifier = '']) => specifier,
  );
/** What it asks for while it runs. */
const requiredBy = (text: string): string[] =>
  [...text.matchAll(/\b(?:__require|require|import)\(["']([\w@/.-]+)["']\)/g)].map(
    ([, specifier = '']) => specifier,
  );

describe('the bundles', () => {
  it('hold every program that npm and the image run', () => {
    const named = new Set(
      ['tools/bootstrap/main.mjs', 'deploy/Dockerfile', 'deploy/kubernetes/petstore.yaml'].flatMap((file) =>
        [...read(file).matchAll(/apps\/[\w-]+\/(?:bundle|dist)\/[\w-]+\.js/g)].map(([path]) => path),
      ),
    );
    const made = folders.map((folder) => `${folder}/main.js`);
    expect([...named].sort()).toEqual(made.sort());
    expect(made.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it.each([
    ['apps/api/bundle', LEFT_OUT],
    ['apps/operator-cli/bundle', []],
  ])('%s needs no package but those that are left out, and finds them', (folder, leftOut) => {
    const needed = new Set(filesOf(folder).flatMap((name) => importsOf(read(`${folder}/${name}`))));
    const packages = [...needed].filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier));
    expect([...new Set(packages.map(packageOf))].sort()).toEqual(leftOut);
    const { resolve } = createRequire(join(ROOT, folder, 'main.js'));
    for (const specifier of packages) resolve(specifier);
  });

  it.each(folders)('%s asks for no other package while it runs, unless it can do without', (folder) => {
    const asked = new Set(filesOf(folder).flatMap((name) => requiredBy(read(`${folder}/${name}`))));
    expect([...asked].map(packageOf)).toContain('pg-native');
    const unknown = [...asked].filter(
      (specifier) =>
        !specifier.startsWith('.') &&
        !isBuiltin(specifier) &&
        ![...LEFT_OUT, ...OPTIONAL, ...FOR_DERIVED, ...FOR_FILES].includes(packageOf(specifier)),
    );
    expect(unknown).toEqual([]);
  });

  it('let the operator read help before the packages of a command are loaded', () => {
    const folder = 'apps/operator-cli/bundle';
    const loaded = new Set(['main.js']);
    for (const name of loaded)
      for (const specifier of importsOf(read(`${folder}/${name}`)))
        if (specifier.startsWith('./')) loaded.add(specifier.slice(2));
    const packagesIn = (names: Iterable<string>): Set<string> =>
      new Set(
        [...names].flatMap((name) =>
          [...read(`${folder}/${name}`).matchAll(/^\/\/ node_modules\/.*\/node_modules\/(.+)$/gm)].map(
            ([, path = '']) => packageOf(path),
          ),
        ),
      );
    expect([...packagesIn(filesOf(folder))]).toEqual(
      expect.arrayContaining(['typeorm', 'pg', 'ioredis', 'zod']),
    );
    expect([...packagesIn(loaded)]).toEqual(['commander']);
  });

  it('hold no DTO that is derived from another by a helper of Nest', () => {
    const helpers = /\b(?:Partial|Pick|Omit|Intersection)Type\b/;
    const sourceFolders = ['apps', 'libs'].flatMap((group) =>
      readdirSync(join(ROOT, group)).map((name) => join(group, name, 'src')),
    );
    const sources = sourceFolders
      .filter((folder) => existsSync(join(ROOT, folder)))
      .flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
          .filter((path) => path.endsWith('.ts'))
          .map((path) => join(folder, path)),
      );
    expect(sources).toContain('apps/api/src/pets/pet.dto.ts');
    expect(sources.filter((path) => helpers.test(read(path)))).toEqual([]);
  });

  it('lose no call that throws: the build fails instead', () => {
    expect(
      [...bundles(), ...embedded()].filter(({ input }) => !input.plugins.includes(noDroppedCalls)),
    ).toEqual([]);
    const { transform } = noDroppedCalls;
    const error = (message: string): never => {
      throw new Error(message);
    };
    for (const call of [
      'decodeURIComponent(text);',
      '{ encodeURI(text); }',
      'decodeURIComponent(String(text));',
      '\n  String.fromCodePoint(text);',
    ])
      expect(() => {
        if (transform.filter.code.test(call)) transform.handler.call({ error }, call);
      }).toThrow('is not used');
    for (const used of ['return decodeURIComponent(text);', 'f(\n  decodeURIComponent(text),\n);'])
      expect(transform.filter.code.test(used)).toBe(false);
  });
});
