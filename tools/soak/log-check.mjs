import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** How many lines a log has, and how many of them hold one of the secrets. */
export async function secretsIn(file, secrets) {
  let lines = 0;
  let found = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    lines++;
    if (secrets.some((secret) => line.includes(secret))) found++;
  }
  return { lines, found };
}
