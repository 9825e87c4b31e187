// How the whole suite runs: loading the service takes longer than most specs, so that a `together.spec.ts` loads it once for
// those that it imports. One of them by itself runs by jest.config.mjs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import preset from '../../jest.preset.mjs';

const tests = join(import.meta.dirname, 'test');
const together = readdirSync(tests, { recursive: true }).filter((path) => path.endsWith('together.spec.ts'));
const loaded = together.flatMap((path) =>
  [...readFileSync(join(tests, path), 'utf8').matchAll(/^import '(.+)\.js';$/gm)].map(
    ([, name]) => `${join(tests, path, '..', name)}\\.ts$`,
  ),
);

export default { ...preset, testPathIgnorePatterns: ['/test/alone/', ...loaded] };
