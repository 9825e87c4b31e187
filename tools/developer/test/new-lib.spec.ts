import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CommandResult, WorkspaceCopy } from '@petstore/workspace-copy';

const TIMEOUT_MS = 180_000;

let workspace: WorkspaceCopy;
beforeAll(async () => {
  workspace = await WorkspaceCopy.create({ code: 'all' });
}, TIMEOUT_MS);
afterAll(() => workspace.remove());

/** Without the bootstrap, which would install packages once the lockfile has changed. */
const PROGRAM = `const { newLib } = await import('./tools/developer/new-lib/new-lib.mjs');
await newLib(process.argv.slice(1));`;

const newLib = (name: string): Promise<CommandResult> =>
  workspace.run(process.execPath, '--input-type=module', '--eval', PROGRAM, name);

describe('npm run new:lib', () => {
  it(
    'makes a lib that is compiled, linted, type-checked, tested and formatted',
    async () => {
      expect(await newLib('order-desk')).toMatchObject({ code: 0 });
      const { code, text } = await workspace.nx(
        ...['run-many', '-t', 'lint', 'typecheck', 'test', '-p', '@petstore/order-desk'],
      );
      expect({ code, text }).toMatchObject({ code: 0 });
      expect(text).toMatch(/Tests: +1 passed, 1 total/);
      expect(await workspace.read('libs/order-desk/dist/index.js')).toContain('ORDER_DESK');
      const files = ['tsconfig.build.json', 'tsconfig.json', 'eslint.config.mjs', 'libs/order-desk'];
      expect(await workspace.run('node_modules/.bin/prettier', '--check', ...files)).toMatchObject({
        code: 0,
      });
      expect(await workspace.read('pnpm-lock.yaml')).toContain('\n\n  libs/order-desk: {}\n\n  libs/');
    },
    TIMEOUT_MS,
  );

  it(
    'gives the lib an arrow: it may import nothing',
    async () => {
      await workspace.write('libs/order-desk/src/forbidden.ts', "import '@petstore/pet-domain';\n");
      const { text } = await workspace.nx(
        ...['run-many', '-t', 'lint', '-p', '@petstore/order-desk', '--exclude-task-dependencies'],
      );
      expect(text).toContain('@nx/enforce-module-boundaries');
    },
    TIMEOUT_MS,
  );

  it.each([
    ['pet-domain', /There is a project pet-domain already/],
    ['Orders', /"Orders" is no name of a lib/],
    ['', /"" is no name of a lib/],
  ])('refuses the name "%s"', async (name, message) => {
    const { code, text } = await newLib(name);
    expect(code).toBe(1);
    expect(text).toMatch(message);
  });
});
