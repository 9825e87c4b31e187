import { BootstrapError } from '../../bootstrap/process.mjs';

/** Where the version of the service stands besides the manifests; `VERSION` is the version. */
const PLACES = [
  { file: 'deploy/compose.yaml', form: 'petstore:VERSION' },
  { file: 'docs/operations.md', form: 'petstore:VERSION' },
  { file: 'docs/guide/versions.md', form: 'VERSION' },
];

/** The document takes its version from here, unless it reads it from the manifest. */
const DOCUMENT_SOURCE = { file: 'apps/api/src/docs/openapi-document.ts', form: ".setVersion('VERSION')" };

/** Texts of all files that name the version, with the new one in place of the current one. */
export async function versionEdits(repository, current, version) {
  const manifests = (
    await repository.git('ls-files', '--', 'package.json', 'apps/*/package.json', 'libs/*/package.json')
  )
    .split('\n')
    .map((file) => ({ file, form: '"version": "VERSION"' }));
  const edits = [];
  for (const { file, form } of [...manifests, ...PLACES, DOCUMENT_SOURCE]) {
    const before = await repository.read(file);
    const [from, to] = [current, version].map((text) => form.replace('VERSION', text));
    if (before.includes(from)) edits.push({ file, text: before.replaceAll(from, to) });
    else if (form !== DOCUMENT_SOURCE.form) throw new BootstrapError(`${file} does not contain ${from}.`);
  }
  return edits;
}
