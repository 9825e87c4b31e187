// `node tools/bundle/bundle.mjs`: bundles the programs with their libs and packages into `bundle/` of each app,
// and joins what pages load into `dist/embed` of the API
// (docs/decisions/0049-toolchain.md).
import { rolldown } from 'rolldown';
import { bundles, embedded } from './programs.mjs';

for (const { input, output } of [...bundles(), embedded()]) {
  const bundle = await rolldown(input);
  await bundle.write(output);
  await bundle.close();
}
