import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-servers';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DOCKERFILE = join(ROOT, 'deploy/Dockerfile');
const PATIENCE = 240_000;

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder('image');
});
afterAll(() => folder.remove());

/** Where a build looks: the workspace without what the build leaves out. */
async function copyContext(to: string): Promise<void> {
  const patterns = (await readFile(`${DOCKERFILE}.dockerignore`, 'utf8')).trim().split('\n');
  const anywhere = new Set(patterns.filter((line) => line.startsWith('**/')).map((line) => line.slice(3)));
  const atRoot = new Set(patterns.filter((line) => !line.startsWith('**/')));
  await cp(ROOT, to, {
    recursive: true,
    filter: (source) => {
      const path = relative(ROOT, source);
      return !atRoot.has(path) && !anywhere.has(path.split('/').at(-1) ?? '');
    },
  });
}

describe('the image', () => {
  it(
    'is built by steps that work one by one, and starts the service and the tools without sources',
    async () => {
      await copyContext(folder.path);
      const [, build = '', final = ''] = (await readFile(DOCKERFILE, 'utf8')).split(/^FROM /m);
      const steps = [...build.matchAll(/^RUN (.+)$/gm)].map(([, step = '']) => step);
      expect(steps.length).toBeGreaterThan(3);
      const options = { cwd: folder.path, maxBuffer: 1 << 26 };
      for (const step of steps) {
        // Rejects with the output of the step that failed.
        await promisify(execFile)('/usr/bin/env', ['CI=true', '/bin/sh', '-c', step], options);
      }
      const copied = [...final.matchAll(/^COPY --from=build \/app\/(\S+)/gm)].map(([, path = '']) => path);
      expect(copied.filter((path) => !existsSync(join(folder.path, path)))).toEqual([]);
      for (const tool of ['typescript', 'oxlint', 'rolldown'])
        expect(existsSync(join(folder.path, 'node_modules', tool))).toBe(false);
      expect(existsSync(join(folder.path, 'apps/api/src'))).toBe(false);
      expect(existsSync(join(folder.path, 'apps/api/dist/pages/docs/guide.html'))).toBe(true);

      const command = /^CMD (.+)$/m.exec(final)?.[1] ?? '[]';
      const [, ...words] = JSON.parse(command) as string[];
      const outcome = (args: string[]): Promise<string> =>
        promisify(execFile)(process.execPath, args, { ...options, env: {} }).then(
          () => 'ended well',
          (error: unknown) => (error as { readonly stderr: string }).stderr,
        );
      // Everything is loaded; the image carries no database of its own, and says so.
      expect(await outcome(words)).toMatch(/^No embedded PostgreSQL is installed .* Point DATABASE_URL /);
      expect(await outcome(['apps/operator-cli/bundle/migrate.js'])).toMatch(/Point DATABASE_URL/);
      expect(await outcome(['apps/operator-cli/bundle/main.js', 'list'])).toMatch(/Point DATABASE_URL/);
    },
    PATIENCE,
  );
});
