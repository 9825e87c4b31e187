// Writes docs/openapi.json and docs/openapi-webhooks.json anew, and from the first the client's types: starts the compiled
// service and asks it for its documents. The committed one belongs to no instance, and has other servers.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractTypes } from '../../libs/client/contract-types.mjs';
import { startPetStore } from '../test-servers/dist/index.js';

/** Where `npm start` listens by default. */
const LOCAL = 'http://127.0.0.1:3000/v1';

/**
 * The first one is for generators that take its URL as it is; the others are the variables of
 * docs/released/openapi-1.0.0.json, whose defaults lead to a local instance, too. A description of the variable itself is
 * refused by a generator's check of the document.
 */
const SERVERS = [
  { url: LOCAL, description: 'A local instance' },
  {
    url: '{base_url}',
    description: 'Production: where it is, ending in /v1, is the value of the variable',
    variables: { base_url: { default: LOCAL } },
  },
  {
    url: '{staging_base_url}',
    description: 'Staging: likewise',
    variables: { staging_base_url: { default: LOCAL } },
  },
].map((server) => ({ ...server, 'x-internal': false }));

const workspace = fileURLToPath(new URL('../../', import.meta.url));
const write = (path, text) => writeFile(join(workspace, path), text);
// Not the bundle, which is made of all that is compiled.
const service = await startPetStore({ PUBLIC_BASE_URL: LOCAL }, join(workspace, 'apps/api/dist/main.js'));
try {
  const served = async (name) => (await fetch(`${service.origin}/${name}`)).text();
  // As text: numbers of 64 bits stay exact.
  const servers = JSON.stringify({ servers: SERVERS }, undefined, 2).slice(2, -2);
  const document = (await served('openapi.json')).replace(/^ {2}"servers": \[[^\]]*\]/m, () => servers);
  await write('docs/openapi.json', document);
  await write('docs/openapi-webhooks.json', await served('openapi-webhooks.json'));
  await write('libs/client/src/contract.generated.ts', await contractTypes(document));
  console.log('docs/openapi.json, docs/openapi-webhooks.json and the types of libs/client are current.');
} finally {
  await service.stop();
}
