import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installForeignApp } from '../src/index.js';
import { allows, flawOf } from '../src/manifest.js';
import { snippetsIn } from '../src/snippets.js';

/** Minutes on a busy machine: it packs and compiles. */
const SLOW_MS = 120_000;
const NOTHING = { libs: [], dependencies: [] };

const SERVER = `
import { createServer } from 'node:http';
const server = createServer((_request, response) => response.end('hello')).listen(process.env.PORT);
process.once('SIGTERM', () => server.close());
`;

describe('an application of a stranger', () => {
  it(
    'is compiled, runs, and ends when it is asked to',
    async () => {
      const app = await installForeignApp({ ...NOTHING, files: { 'main.ts': SERVER } });
      const running = await app.start('main.ts');
      expect(await (await fetch(running.origin, { headers: { connection: 'close' } })).text()).toBe('hello');
      expect(await running.stop()).toBe(0);
      await app.remove();
      await expect(readFile(join(app.folder, 'main.ts'))).rejects.toThrow('ENOENT');
    },
    SLOW_MS,
  );

  it(
    'fails with the words of the compiler, and of itself',
    async () => {
      await expect(
        installForeignApp({ ...NOTHING, files: { 'main.ts': 'const a: string = 1;' } }),
      ).rejects.toThrow('main.ts(1,7): error TS2322');
      const app = await installForeignApp({
        ...NOTHING,
        files: { 'main.ts': 'throw new Error("no such luck");' },
      });
      await expect(app.start('main.ts')).rejects.toThrow('no such luck');
      await app.remove();
    },
    SLOW_MS,
  );

  it(
    'has to have what a lib asks of it, and nothing else of the workspace',
    async () => {
      const files = { 'main.ts': `import { z } from 'zod';\nz.string();\n` };
      await expect(installForeignApp({ ...NOTHING, files })).rejects.toThrow("Cannot find module 'zod'");
      const libs = ['libs/api-key'];
      await expect(installForeignApp({ libs, dependencies: [], files: {} })).rejects.toThrow(
        '@petstore/api-key needs @nestjs/common, which the application does not depend on.',
      );
    },
    SLOW_MS,
  );
});

describe('allows', () => {
  it.each([
    ['1.2.3', '1.2.3', true],
    ['1.2.3', '1.2.4', false],
    ['^1.2.3', '1.2.3', true],
    ['^1.2.3', '1.3.0', true],
    ['^1.2.3', '1.2.2', false],
    ['^1.2.3', '1.1.9', false],
    ['^1.2.3', '2.2.3', false],
  ])('says of %s and %s: %p', (range, version, allowed) => {
    expect(allows(range, version)).toBe(allowed);
  });
});

describe('flawOf', () => {
  const lib = { name: 'lib', version: '1.0.0' };

  it.each([
    [{ dependencies: { a: 'workspace:*' } }, 'lib asks for a as workspace:*, which nobody else has.'],
    [{ peerDependencies: { a: 'catalog:' } }, 'lib asks for a as catalog:, which nobody else has.'],
    [{ scripts: { postinstall: 'x' } }, "lib would run postinstall on its user's machine."],
    [{ dependencies: { a: '^1.0.0' }, scripts: { build: 'x' } }, undefined],
  ])('finds what is wrong with %j', (parts, flaw) => {
    expect(flawOf({ ...lib, ...parts })).toBe(flaw);
  });
});

describe('snippetsIn', () => {
  it('finds the blocks of code that name a file, and no others', () => {
    const markdown =
      '```ts\n// a/main.ts\none;\n```\n\n```ts\nno name;\n```\n\n```js\n// b.js\ntwo;\n\n2;\n```\n';
    expect(snippetsIn(markdown)).toEqual({ 'a/main.ts': 'one;\n', 'b.js': 'two;\n\n2;\n' });
  });

  it('refuses two of one name', () => {
    const block = '```ts\n// a.ts\none;\n```\n';
    expect(() => snippetsIn(block + block)).toThrow('Two blocks of code are called a.ts.');
  });
});
