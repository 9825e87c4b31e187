import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installForeignApp } from '../src/index.js';

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
