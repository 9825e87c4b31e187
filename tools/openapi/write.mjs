// Writes docs/openapi.json and docs/openapi-webhooks.json anew, and from the first the client's types and the picture of the
// docs page: starts the built service and asks it for its documents, which are committed without the place where they were
// served.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { committedDocument } from '../../apps/api/dist/docs/committed-document.js';
import { contractTypes } from '../../libs/client/contract-types.mjs';
import { takePicture } from './picture.mjs';
import { startPetStore } from '../test-servers/dist/index.js';

const workspace = fileURLToPath(new URL('../../', import.meta.url));
const service = await startPetStore();
try {
  const served = async (name) => (await fetch(`${service.origin}/${name}`)).text();
  const document = committedDocument(await served('openapi.json'));
  await writeFile(join(workspace, 'docs/openapi.json'), document);
  await writeFile(join(workspace, 'docs/openapi-webhooks.json'), await served('openapi-webhooks.json'));
  await writeFile(join(workspace, 'libs/client/src/contract.generated.ts'), await contractTypes(document));
  if (await takePicture(service, document)) console.log('docs/pictures/docs-page.png is new.');
  console.log('docs/openapi.json, docs/openapi-webhooks.json and the types of libs/client are current.');
} finally {
  await service.stop();
}
