import { rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { LEFT_OUT, OPTIONAL, PROGRAMS } from './programs.mjs';

/**
 * `node tools/bundle/bundle.mjs`: makes of the compiled programs, their libs and packages a few files each, in `bundle/`
 * beside `dist/`. Node.js 20 takes a second and a half to find, read and link the 2,000 modules of the service one by one,
 * and a third of that for the bundle (docs/decisions/0050-bundled-programs.md).
 */

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The CommonJS packages among the modules call it. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`;

for (const [project, programs] of Object.entries(PROGRAMS)) await bundle(project, programs);

async function bundle(project, programs) {
  const output = join(root, project, 'bundle');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: programs.map((program) => join(project, 'dist', `${program}.js`)),
    outdir: output,
    bundle: true,
    // What a program loads later, or only sometimes, stays in a file of its own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Nest and OpenAPI use the names of classes.
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    banner: { js: REQUIRE },
    external: [...LEFT_OUT, ...OPTIONAL],
    plugins: [ownPlaces(output)],
    logLevel: 'warning',
  });
  const written = new Set(Object.keys(metafile.outputs).map((path) => join(root, path)));
  for (const name of await readdir(output)) {
    const path = join(output, name);
    // Of a build before this one.
    if (!written.has(path)) rmSync(path);
  }
}

/** A module that asks for its own place is told where it was compiled to: it finds files by that. */
function ownPlaces(output) {
  return {
    name: 'own places',
    setup({ onLoad }) {
      onLoad({ filter: /[/\\](apps|libs)[/\\][\w-]+[/\\]dist[/\\].*\.js$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!source.includes('import.meta.url')) return undefined;
        const place = JSON.stringify(relative(output, path).replaceAll(sep, '/'));
        const contents = source.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
        return { contents, resolveDir: dirname(path) };
      });
    },
  };
}
