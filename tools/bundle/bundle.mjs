// `node tools/bundle/bundle.mjs`: bundles the programs with their libs and packages into `bundle/` of each app,
// and joins what pages load into `dist/embed` of the API
// (docs/decisions/0049-toolchain.md).
import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { writeEncoded } from '../encoded-file.mjs';
import { bundles, EMBEDDED, embedded } from './programs.mjs';

for (const { input, output } of bundles()) {
  const bundle = await rolldown(input);
  await bundle.write(output);
  await bundle.close();
}
rmSync(EMBEDDED, { recursive: true, force: true });
for (const { input, output } of embedded()) {
  const bundle = await rolldown(input);
  const [{ fileName, code }] = (await bundle.generate(output)).output;
  await bundle.close();
  await writeEncoded(EMBEDDED, fileName, code);
}
