import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { BootstrapError, root } from '../../bootstrap/process.mjs';
import { withArrow, withBuild, withCheck, withImporter } from './workspace-edits.mjs';
import { filesOf } from './templates.mjs';

/** Lower-case words with hyphens between them: the name is a folder, a package and a tag. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Makes `libs/<name>` as the other libs are made, and lists it wherever a lib must be listed. */
export async function newLib([name = '']) {
  if (!NAME.test(name))
    throw new BootstrapError(`"${name}" is no name of a lib. Usage: npm run new:lib -- some-name`);
  if (['apps', 'libs', 'tools'].some((group) => existsSync(join(root, group, name))))
    throw new BootstrapError(`There is a project ${name} already.`);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const created = Object.entries(filesOf(name, version));
  const edited = [
    ['tsconfig.build.json', withBuild],
    ['tsconfig.json', withCheck],
    ['eslint.config.mjs', withArrow],
    ['pnpm-lock.yaml', withImporter],
  ];
  // All edits are made before the first file is written: a failure leaves nothing half done.
  const files = [
    ...created,
    ...(await Promise.all(
      edited.map(async ([file, edit]) => [file, edit(await readFile(join(root, file), 'utf8'), name)]),
    )),
  ];
  for (const [file, text] of files) await write(file, text);
  console.log(`libs/${name} is there. What to do next:
  - say in libs/${name}/README.md what it is for and who owns it,
  - list in eslint.config.mjs what it may import, and who may import it, with the reason,
  - add a line to docs/architecture.md.`);
}

async function write(file, text) {
  const path = join(root, file);
  await mkdir(dirname(path), { recursive: true });
  const isFormatted = !file.endsWith('.yaml');
  const options = { ...(await resolveConfig(path)), filepath: path };
  await writeFile(path, isFormatted ? await format(text, options) : text);
}
