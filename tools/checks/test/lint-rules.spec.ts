import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url));
const OXLINT = join(dirname(createRequire(import.meta.url).resolve('oxlint/package.json')), 'bin/oxlint');

const IMPORT = 'no-restricted-imports';
const imports = (name: string): string => `import '${name}';\n`;
const FORGOTTEN = `async function later(): Promise<void> {
  await Promise.resolve();
}

export function now(): void {
  later();
}
`;
const INEXHAUSTIVE = `export function sound(animal: 'cat' | 'dog'): string | undefined {
  switch (animal) {
    case 'cat':
      return 'meow';
  }
}
`;

/** Files, and the rule that refuses each; no rule where it is allowed. */
const FILES: readonly (readonly [file: string, text: string, rule: string | undefined])[] = [
  ['libs/pet-domain/src/storage.ts', imports('@petstore/persistence'), IMPORT],
  ['libs/pet-domain/src/app.ts', imports('@petstore/api'), IMPORT],
  ['libs/pet-domain/src/package.ts', imports('typeorm'), IMPORT],
  ['libs/pet-domain/src/files.ts', imports('node:fs'), IMPORT],
  ['libs/order-domain/src/files.ts', imports('node:fs'), IMPORT],
  ['libs/event-feed/src/files.ts', imports('node:fs'), IMPORT],
  ['libs/portal-formats/src/files.ts', imports('node:fs'), IMPORT],
  ['libs/pet-domain/src/deep.ts', imports('../../persistence/src/index.js'), IMPORT],
  ['libs/rate-limit/src/keys.ts', imports('@petstore/api-key'), IMPORT],
  ['libs/api-key/src/adapter.ts', imports('@petstore/persistence'), IMPORT],
  ['libs/api-key/src/pets.ts', imports('@petstore/pet-domain'), IMPORT],
  ['libs/portal-formats/src/rules.ts', imports('@petstore/order-domain'), IMPORT],
  ['libs/portal-formats/src/rows.ts', imports('csv-parse'), undefined],
  ['libs/http-server/src/feature.ts', imports('@petstore/rate-limit'), IMPORT],
  ['libs/http-server/src/keys.ts', imports('@petstore/api-key'), IMPORT],
  ['libs/observability/src/feature.ts', imports('@petstore/rate-limit'), IMPORT],
  ['apps/api/src/pets/rule.ts', imports('class-validator'), IMPORT],
  ['apps/operator-cli/src/app.ts', imports('@petstore/api'), undefined],
  ['apps/operator-cli/src/http.ts', imports('@petstore/http-server'), IMPORT],
  ['libs/api-key/src/plan.ts', imports('@petstore/rate-limit'), undefined],
  ['libs/api-key/src/nest.ts', imports('@petstore/rate-limit/nest'), undefined],
  ['libs/webhook/src/test.ts', imports('standardwebhooks'), undefined],
  ['apps/operator-cli/src/keys.ts', imports('@petstore/api-key'), undefined],
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
  ['libs/pet-domain/src/switch.ts', INEXHAUSTIVE, 'switch-exhaustiveness-check'],
  ['libs/pet-domain/src/environment.ts', "export const home = process.env['HOME'];\n", 'no-process-env'],
];

interface Finding {
  readonly filename: string;
  readonly code: string;
}

describe('lint', () => {
  let folder: string;
  let findings: readonly Finding[];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'petstore-lint-'));
    for (const name of ['.oxlintrc.json', 'tsconfig.base.json'])
      copyFileSync(join(ROOT, name), join(folder, name));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      '{ "extends": "./tsconfig.base.json", "compilerOptions": { "types": [] } }',
    );
    symlinkSync(PACKAGES, join(folder, 'node_modules'));
    for (const [file, text] of FILES) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const { stdout } = spawnSync(process.execPath, [OXLINT, '--format', 'json', 'apps', 'libs'], {
      cwd: folder,
      encoding: 'utf8',
    });
    findings = (JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics;
  }, 60_000);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each(FILES)('%s: %j', (file, _text, rule) => {
    const found = findings.filter(({ filename }) => filename === file).map(({ code }) => code);
    if (rule === undefined) expect(found).toEqual([]);
    else expect(found).toContainEqual(expect.stringContaining(`(${rule})`));
  });
});
