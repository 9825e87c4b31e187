import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import tseslint from 'typescript-eslint';
import { WorkspaceCopy } from '@petstore/workspace-copy';

const FORGOTTEN = `export async function later(): Promise<void> {
  await Promise.resolve();
}

export function now(): void {
  later();
}
`;

/** Rules of the presets that the linter does not have, with the reason why they are not missed. */
const NOT_THERE = [
  // Nest and Express declare plain objects as classes.
  'no-unsafe-class-instance-assignment',
  // There is no enum here.
  'no-unsafe-enum-assignment',
];

let workspace: WorkspaceCopy;
beforeAll(async () => {
  workspace = await WorkspaceCopy.create({ code: 'none' });
}, 120_000);
afterAll(() => workspace.remove());

it.each([
  'libs/pet-domain/src/planted.ts',
  'libs/pet-domain/src/planted.spec.ts',
  'apps/api/test/planted.ts',
])('lint refuses a promise that nobody waits for in %s', async (file) => {
  await workspace.write(file, FORGOTTEN);
  const { code, text } = await workspace.run('node_modules/.bin/oxlint', file);
  expect(code).toBe(1);
  expect(text).toContain('typescript(no-floating-promises)');
});

it('lint has every rule of the strict and the stylistic preset that needs types', async () => {
  const { rules } = JSON.parse(
    await readFile(new URL('../../../.oxlintrc.json', import.meta.url), 'utf8'),
  ) as {
    rules: Readonly<Record<string, unknown>>;
  };
  const { strictTypeCheckedOnly, stylisticTypeCheckedOnly } = tseslint.configs;
  const presets = [...strictTypeCheckedOnly, ...stylisticTypeCheckedOnly].flatMap((part) =>
    Object.keys(part.rules ?? {}).filter((name) => name.startsWith('@typescript-eslint/')),
  );
  const expected = presets.map((name) => name.replace('@typescript-eslint/', ''));
  expect([...Object.keys(rules), ...NOT_THERE.map((name) => `typescript/${name}`)].sort()).toEqual(
    expected.map((name) => `typescript/${name}`).sort(),
  );
});
