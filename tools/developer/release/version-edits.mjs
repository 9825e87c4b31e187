import { BootstrapError } from '../../bootstrap/process.mjs';

/** Where the version of the service stands besides the manifests; `VERSION` is the version. */
const PLACES = [
  { file: 'deploy/compose.yaml', form: 'petstore:VERSION' },
  { file: 'docs/operations.md', form: 'petstore:VERSION' },
];

/** Texts of all files that name the version, with the new one in place of the current one. */
export async function versionEdits(repository, current, version) {
  const manifests = (
    await repository.git(
      'ls-files',
      '--',
      'package.json',
      // Not those of folders further down, which have no version.
      ':(glob)apps/*/package.json',
      ':(glob)libs/*/package.json',
    )
  )
    .split('\n')
    .map((file) => ({ file, form: '"version": "VERSION"' }));
  const edits = [];
  for (const { file, form } of [...manifests, ...PLACES]) {
    const before = await repository.read(file);
    const [from, to] = [current, version].map((text) => form.replace('VERSION', text));
    if (!before.includes(from)) throw new BootstrapError(`${file} does not contain ${from}.`);
    edits.push({ file, text: before.replaceAll(from, to) });
  }
  return edits;
}
