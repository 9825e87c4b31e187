import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageOf } from './package-of.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What `npm start` and the operator's commands run: `src/main.ts` of each project. */
export const PROGRAMS = ['apps/api', 'apps/operator-cli'];

/** Packages that look for files beside their own. */
export const LEFT_OUT = ['pino'];

/** Packages that others load on demand: nothing here needs them. */
export const OPTIONAL = [
  '@fastify/static',
  '@nestjs/microservices',
  '@nestjs/websockets',
  'pg-native',
  'swagger-ui-dist',
];

const external = new Set([...LEFT_OUT, ...OPTIONAL]);

/**
 * Rolldown takes these for free of side effects, and drops a call whose result nobody uses; but they throw, so that what is
 * caught of them would be caught no more.
 */
const DROPPED =
  /(?:^|[;{}])\s*((?:de|en)codeURI(?:Component)?|String\.fromCodePoint)\((?:[^()]|\([^()]*\))*\);/m;

/** Refuses a call that Rolldown would drop, in sources and in packages. */
export const noDroppedCalls = {
  name: 'no dropped calls',
  transform: {
    filter: { code: DROPPED },
    handler(code) {
      this.error(
        `The result of ${DROPPED.exec(code)[1]} is not used: Rolldown drops such a call, although it may throw.`,
      );
    },
  },
};

/** Options of Rolldown for each project of {@link PROGRAMS}, or for one. */
export function bundles(projects = PROGRAMS) {
  return projects.map((project) => {
    const dir = join(root, project, 'bundle');
    return {
      input: {
        cwd: root,
        tsconfig: join(root, 'tsconfig.base.json'),
        platform: 'node',
        input: { main: `./${project}/src/main.ts` },
        external: (specifier) => external.has(packageOf(specifier)),
        // An index is there for its exports: what nobody uses of it is left out, with the packages that it needs.
        treeshake: {
          moduleSideEffects: [
            { test: /[/\\](?:apps|libs)[/\\][\w-]+[/\\]src[/\\](?:.*[/\\])?index\.ts$/, sideEffects: false },
          ],
        },
        plugins: [workspaceSources(dir), noDroppedCalls],
        onLog: (level, { message }) => {
          throw new Error(`${level}: ${message}`);
        },
      },
      output: {
        dir,
        cleanDir: true,
        format: 'esm',
        // Nest and OpenAPI use the names of classes.
        keepNames: true,
        // `reflect-metadata` must run before the modules that use it.
        strictExecutionOrder: true,
        comments: { legal: true, annotation: true, jsdoc: false },
        sourcemap: true,
        sourcemapExcludeSources: true,
      },
    };
  });
}

/** Where what pages of any site load is served from. */
export const EMBEDDED = join(root, 'apps/api/dist/embed');

const inOneLine = (code) => code.replaceAll(/\n +/g, ' ').replaceAll(/ *([{};]) */g, '$1');

/** What pages of any site load, a small file each: the element, of sources that a person can read, and the client. */
export function embedded() {
  const { version } = JSON.parse(readFileSync(join(root, 'libs/client/package.json'), 'utf8'));
  return [
    {
      input: {
        cwd: join(root, 'apps/api'),
        platform: 'browser',
        input: './assets/embed/adoptable-animals.js',
        plugins: [
          noDroppedCalls,
          {
            name: 'style sheet in one line',
            transform: { filter: { id: /style\.js$/ }, handler: inOneLine },
          },
        ],
      },
      output: { format: 'esm', minify: true },
    },
    {
      input: {
        cwd: root,
        platform: 'browser',
        input: { client: './libs/client/src/index.ts' },
        plugins: [noDroppedCalls],
      },
      output: {
        format: 'esm',
        // An error has the name of its class.
        minify: { compress: true, mangle: { keepNames: { class: true, function: false } } },
        postBanner: `/* @petstore/client ${version} (MIT) */`,
      },
    },
  ];
}

/** Resolves projects of the workspace to their sources; a module that uses its own location keeps that of its source file. */
function workspaceSources(dir) {
  return {
    name: 'workspace sources',
    resolveId: {
      filter: { id: /^@petstore\// },
      handler(specifier) {
        const [, name, ...part] = specifier.split('/');
        const folder = [join(root, 'libs', name), join(root, 'apps', name)].find(existsSync);
        return join(folder, 'src', ...part, 'index.ts');
      },
    },
    load: {
      filter: { id: /[/\\](?:apps|libs)[/\\][\w-]+[/\\]src[/\\].*\.ts$/ },
      async handler(path) {
        this.addWatchFile(path);
        const source = await readFile(path, 'utf8');
        const location = JSON.stringify(relative(dir, path).replaceAll(sep, '/'));
        return source.replaceAll('import.meta.url', `new URL(${location}, import.meta.url).href`);
      },
    },
  };
}
