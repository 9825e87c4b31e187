import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { packageOf } from './package-of.mjs';
import { LEFT_OUT, OPTIONAL, PROGRAMS } from './programs.mjs';

/**
 * `node tools/bundle/bundle.mjs`: makes of the compiled programs, their libs and packages a few files each, in `bundle/`
 * beside `dist/`. Node.js 20 takes a second and a half to find, read and link the 2,000 modules of the service one by one,
 * and a third of that for the bundle (docs/decisions/0050-bundled-programs.md).
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const elsewhere = new Set([...LEFT_OUT, ...OPTIONAL]);

for (const [project, programs] of Object.entries(PROGRAMS)) await bundle(project, programs);

async function bundle(project, programs) {
  const output = join(root, project, 'bundle');
  const bundled = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(programs.map((name) => [name, join(root, project, 'dist', `${name}.js`)])),
    external: (specifier) => elsewhere.has(packageOf(specifier)),
    plugins: [ownModules(output)],
    onLog: (level, { message }) => {
      throw new Error(`${level}: ${message}`);
    },
  });
  await bundled.write({
    dir: output,
    cleanDir: true,
    format: 'esm',
    // Nest and OpenAPI use the names of classes.
    keepNames: true,
    // What the first modules prepare, such as `Reflect.getMetadata`, the others find.
    strictExecutionOrder: true,
    comments: { legal: true, annotation: true, jsdoc: false },
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await bundled.close();
}

/**
 * What the compiler wrote, with its source maps. A module that asks for its own place is told where it was compiled to:
 * it finds files by that.
 */
function ownModules(output) {
  return {
    name: 'own modules',
    load: {
      filter: { id: /[/\\](apps|libs)[/\\][\w-]+[/\\]dist[/\\].*\.js$/ },
      async handler(path) {
        const [source, map] = await Promise.all([readFile(path, 'utf8'), readFile(`${path}.map`, 'utf8')]);
        const place = JSON.stringify(relative(output, path).replaceAll(sep, '/'));
        const code = source.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
        return { code, map };
      },
    },
  };
}
