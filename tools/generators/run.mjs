// `node tools/generators/run.mjs [generator...]`, by hand before a release, after `npm run build`: runs the commands of the
// table in docs/guide/generated-clients.md as they are there, on the document of a running service, compiles what they make,
// and has a program add an animal with it. Needs Go, a JDK with Maven, Python 3 and the packages' registries.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPetStore, temporaryFolder } from '../test-servers/dist/index.js';
import { PREPARED, RECIPES } from './recipes.mjs';

const run = promisify(execFile);
const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));

/** A row of the table: language, generator and version, command, result, int64. */
const ROW = /^\| \w+ +\| (\S+) ([\d.]+) +\| `([^`]+)` +\|.*\| (.+?) +\|$/;
/** Enough for Maven and Go to fetch and compile everything on a slow machine, in milliseconds. */
const TIMEOUT_MS = 1_200_000;

const rows = await readTable();
const wanted = process.argv.slice(2);

const scratch = await temporaryFolder('generators');
const store = await startPetStore();
try {
  const key = await store.issueKey();
  const document = await (await fetch(`${store.origin}/openapi.json`)).text();
  for (const row of rows.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
    await check(row, { document, key }).then(
      () => console.log(`${row.name} ${row.version}: as the guide says`),
      (error) => {
        process.exitCode = 1;
        console.log(
          `${row.name} ${row.version}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`,
        );
      },
    );
} finally {
  await store.stop();
  await scratch.remove();
}

/** The rows of the guide's table, each of which must have its recipe. */
async function readTable() {
  const guide = await readFile(pathOf('../../docs/guide/generated-clients.md'), 'utf8');
  const [, ...lines] = guide.match(/^\| (?!-).*\|$/gm);
  const table = lines.map((line) => {
    const [, name, version, command, int64] = ROW.exec(line) ?? [];
    if (RECIPES[name] === undefined) throw new Error(`There is no recipe for the row ${line}`);
    // Where numbers are exact, one is sent that a double cannot hold.
    return { name, version, command, categoryId: int64.includes('exact') ? '9007199254740993' : '7' };
  });
  if (table.length !== Object.keys(RECIPES).length) throw new Error('A recipe has no row in the guide.');
  return table;
}

async function check({ name, version, command, categoryId }, { document, key }) {
  const { install, program, at, compile } = RECIPES[name];
  const cwd = join(scratch.path, name.replace(/\W/g, '-'));
  await mkdir(join(cwd, 'bin'), { recursive: true });
  await writeFile(join(cwd, 'openapi.json'), document);
  for (const [file, text] of Object.entries(PREPARED)) await writeFile(join(cwd, file), text);
  const env = {
    ...process.env,
    PATH: `${join(cwd, 'bin')}:${join(cwd, 'venv/bin')}:${process.env.PATH}`,
    GOBIN: join(cwd, 'bin'),
    GOFLAGS: '-mod=mod',
    TSC: pathOf('../../node_modules/typescript/bin/tsc'),
    VERSION: version,
    PETSTORE_URL: `${store.origin}/v1`,
    PETSTORE_KEY: key,
  };
  const shell = async (script) =>
    (await run('bash', ['-ec', script], { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 1e9 })).stdout;
  await shell(install);
  await shell(command);
  await mkdir(join(cwd, at, '..'), { recursive: true });
  await cp(pathOf(`programs/${program}`), join(cwd, at));
  const printed = await shell(compile);
  const said = `Generated ${categoryId} available\n`;
  if (!printed.endsWith(said)) throw new Error(`The program printed ${printed}and not ${said}`);
}
