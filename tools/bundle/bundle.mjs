// `node tools/bundle/bundle.mjs`: bundles the programs with their libs and packages into `bundle/` of each app
// (docs/decisions/0049-toolchain.md).
import { rolldown } from 'rolldown';
import { bundles } from './programs.mjs';

for (const { input, output } of bundles()) {
  const bundle = await rolldown(input);
  await bundle.write(output);
  await bundle.close();
}
