import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf, pssOfTree } from '../shared/process-tree.mjs';
import { freePort, Supervised } from '../shared/supervised.mjs';

const KEY = /pet_(?:live|test)_[A-Za-z0-9]{44}/;
const PATIENCE_MS = 60_000;
const AT_REST_AFTER_MS = 3_000;

/**
 * Starts the service with its embedded database, waits for the first 200 to a list with a key, looks at
 * its memory when it has rested, and stops it. The key is remembered beside the data: it is shown once.
 */
export async function startedService(project, dataDir) {
  const port = await freePort();
  const since = performance.now();
  const service = await Supervised.start([process.execPath, join(project, 'apps/api/bundle/main.js')], {
    cwd: project,
    output: `${dataDir}.log`,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), PETSTORE_DATA_DIR: dataDir },
  });
  try {
    const keyFile = `${dataDir}.key`;
    let key = await readFile(keyFile, 'utf8').catch(() => undefined);
    for (;;) {
      key ??= KEY.exec(service.output())?.[0];
      if (key !== undefined && (await statusOf(port, key)) === 200) break;
      if (service.ended || performance.now() - since > PATIENCE_MS)
        throw new Error(`The service did not start:\n${service.output().slice(-3000)}`);
      await sleep(5);
    }
    const firstResponseMs = performance.now() - since;
    await writeFile(keyFile, key);
    await sleep(AT_REST_AFTER_MS);
    const rssMiB = memoryOf(service.pid).rssMiB;
    return { firstResponseMs, rssMiB, postgresMiB: pssOfTree(service.pid) - memoryOf(service.pid).pssMiB };
  } finally {
    await service.stop();
  }
}

async function statusOf(port, key) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/pets?limit=1`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}
