import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url));
const OXLINT = join(dirname(createRequire(import.meta.url).resolve('oxlint/package.json')), 'bin/oxlint');

const imports = (name: string): string => `import '${name}';\n`;
const FORGOTTEN = `async function later(): Promise<void> {
  await Promise.resolve();
}

export function now(): void {
  later();
}
`;

/** Files, and the rule that refuses each; no rule where it is allowed. */
const FILES: readonly (readonly [file: string, text: string, rule: string | undefined])[] = [
  ['libs/pet-domain/src/storage.ts', imports('@petstore/persistence'), 'no-restricted-imports'],
  ['libs/pet-domain/src/package.ts', imports('typeorm'), 'no-restricted-imports'],
  ['libs/pet-domain/src/files.ts', imports('node:fs'), 'no-restricted-imports'],
  ['libs/pet-domain/src/deep.ts', imports('../../persistence/src/index.js'), 'no-restricted-imports'],
  ['libs/portal-formats/src/rows.ts', imports('csv-parse'), undefined],
  ['libs/api-key/src/nest.ts', imports('@petstore/rate-limit/nest'), undefined],
  [
    'libs/pet-domain/src/a.ts',
    `import { b } from './b.js';\nexport const a = (): unknown => b;\n`,
    'no-cycle',
  ],
  [
    'libs/pet-domain/src/b.ts',
    `import type { a } from './a.js';\nexport const b = (x: typeof a): unknown => x;\n`,
    'no-cycle',
  ],
  ['apps/api/test/forgotten.spec.ts', FORGOTTEN, 'no-floating-promises'],
];

interface Finding {
  readonly filename: string;
  readonly code: string;
}

// Where the linter does not find its settings, a project or the types, it passes everything.
it('lint refuses what the settings say, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-lint-'));
  try {
    for (const name of ['.oxlintrc.json', 'tsconfig.base.json'])
      copyFileSync(join(ROOT, name), join(folder, name));
    const tsconfig = '{ "extends": "./tsconfig.base.json", "compilerOptions": { "types": [] } }';
    writeFileSync(join(folder, 'tsconfig.json'), tsconfig);
    symlinkSync(PACKAGES, join(folder, 'node_modules'));
    for (const [file, text] of FILES) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const { stdout } = spawnSync(process.execPath, [OXLINT, '--format', 'json', 'apps', 'libs'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Finding[] };
    for (const [file, , rule] of FILES) {
      const found = diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code);
      expect([file, found]).toEqual([
        file,
        rule === undefined ? [] : expect.arrayContaining([expect.stringContaining(`(${rule})`)]),
      ]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
