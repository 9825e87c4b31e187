// Writes docs/openapi.json and docs/openapi-webhooks.json anew, and the client's types from the first: starts the built service on a database of its own and asks it for its documents, which are committed without the place where they were served.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { committedDocument } from '../../apps/api/dist/docs/committed-document.js';
import { contractTypes } from '../../libs/client/contract-types.mjs';

const workspace = fileURLToPath(new URL('../../', import.meta.url));
const dataDir = await mkdtemp(join(tmpdir(), 'petstore-openapi-'));
const service = spawn(process.execPath, [join(workspace, 'apps/api/bundle/main.js')], {
  env: { PATH: process.env.PATH, PETSTORE_DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((resolve) => service.once('exit', resolve));
try {
  const origin = await new Promise((resolve, reject) => {
    let output = '';
    service.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const address = /API +(http:\/\/\S+)\/v1/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
    void ended.then(() => reject(new Error('The service ended before it listened.')));
  });
  const served = async (name) => (await fetch(`${origin}/${name}`)).text();
  const document = committedDocument(await served('openapi.json'));
  await writeFile(join(workspace, 'docs/openapi.json'), document);
  await writeFile(join(workspace, 'docs/openapi-webhooks.json'), await served('openapi-webhooks.json'));
  await writeFile(join(workspace, 'libs/client/src/contract.generated.ts'), await contractTypes(document));
  console.log('docs/openapi.json, docs/openapi-webhooks.json and the types of libs/client are current.');
} finally {
  service.kill('SIGTERM');
  await ended;
  await rm(dataDir, { recursive: true, force: true });
}
