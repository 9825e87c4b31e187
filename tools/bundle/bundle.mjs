// `node tools/bundle/bundle.mjs`: bundles the programs with their libs and packages into `bundle/` of each app,
// and joins what pages load into `dist/embed` of the API
// (docs/decisions/0049-toolchain.md).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { bundles, embedded } from './programs.mjs';

/** The path of the file that a bundle begins with. */
async function write({ input, output }) {
  const bundle = await rolldown(input);
  const [{ fileName }] = (await bundle.write(output)).output;
  await bundle.close();
  return join(output.dir, fileName);
}

for (const program of bundles()) await write(program);
for (const script of embedded()) {
  const file = await write(script);
  // As small as it gets takes 0.3 s, which no request can take.
  writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
}
