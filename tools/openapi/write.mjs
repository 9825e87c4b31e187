// Writes docs/openapi.json and docs/openapi-webhooks.json anew, and from the first the client's types: starts the compiled
// service and asks it for its documents, which are committed without the place where they were served.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { committedDocument } from '../../apps/api/dist/docs/committed-document.js';
import { contractTypes } from '../../libs/client/contract-types.mjs';
import { startPetStore } from '../test-servers/dist/index.js';

const workspace = fileURLToPath(new URL('../../', import.meta.url));
const write = (path, text) => writeFile(join(workspace, path), text);
// Not the bundle, which is made of all that is compiled.
const service = await startPetStore({}, join(workspace, 'apps/api/dist/main.js'));
try {
  const served = async (name) => (await fetch(`${service.origin}/${name}`)).text();
  const document = committedDocument(await served('openapi.json'));
  await write('docs/openapi.json', document);
  await write('docs/openapi-webhooks.json', await served('openapi-webhooks.json'));
  await write('libs/client/src/contract.generated.ts', await contractTypes(document));
  console.log('docs/openapi.json, docs/openapi-webhooks.json and the types of libs/client are current.');
} finally {
  await service.stop();
}
