import { readFile, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const lib = new URL('../', import.meta.url);

it('has an example in its README that prints what it says', async () => {
  const readme = await readFile(new URL('README.md', lib), 'utf8');
  const [, program = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
  const [, printed = ''] = /```text\n(.*?)```/s.exec(readme) ?? [];
  // Beside the package.json, so that the package finds itself by its name.
  const file = fileURLToPath(new URL(`readme-${process.pid}.mjs`, lib));
  await writeFile(file, program);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: { NO_COLOR: '1' } });
    expect(stdout).toBe(printed);
  } finally {
    await rm(file);
  }
});
