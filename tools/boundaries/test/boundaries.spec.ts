import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkspaceCopy } from '@petstore/workspace-copy';
import { findings } from './findings.js';

const RULE = '@nx/enforce-module-boundaries';

const forbidden = [
  { project: 'libs/pet-domain', imports: '@petstore/persistence', because: 'the domain knows no storage' },
  { project: 'libs/pet-domain', imports: '@petstore/api', because: 'no lib knows the app' },
  { project: 'libs/pet-domain', imports: 'typeorm', because: 'the domain uses no package' },
  { project: 'libs/rate-limit', imports: '@petstore/api-key', because: 'limits know no keys' },
  { project: 'libs/api-key', imports: '@petstore/persistence', because: 'ports do not know their adapters' },
  { project: 'libs/api-key', imports: '@petstore/pet-domain', because: 'keys know no animals' },
  { project: 'libs/http-server', imports: '@petstore/api-key', because: 'serving HTTP knows no keys' },
  { project: 'libs/observability', imports: '@petstore/rate-limit', because: 'watching knows no feature' },
  { project: 'apps/operator-cli', imports: '@petstore/api', because: 'apps do not know each other' },
].map((row, index) => ({ ...row, file: `forbidden-${index}.ts` }));

const allowed = [
  { project: 'libs/api-key', imports: '@petstore/rate-limit', file: 'allowed.ts' },
  { project: 'apps/operator-cli', imports: '@petstore/api-key', file: 'allowed.ts' },
];

describe('lint through Nx', () => {
  let workspace: WorkspaceCopy;
  let found: ReadonlyMap<string, string>;

  beforeAll(async () => {
    workspace = await WorkspaceCopy.create({ code: 'none' });
    for (const { project, file, imports } of [...forbidden, ...allowed]) {
      await workspace.write(`${project}/src/${file}`, `import '${imports}';\n`);
    }
    // Lint that finds something fails; what it found is in the output all the same.
    const { text } = await workspace.nx('run-many', '-t', 'eslint-all', '--exclude-task-dependencies');
    found = findings(text, workspace.path);
  }, 120_000);
  afterAll(() => workspace.remove());

  it.each(forbidden)('refuses $imports in $project: $because', ({ project, file }) => {
    expect(found.get(`${project}/src/${file}`)).toContain(RULE);
  });

  it.each(allowed)('lets $project import $imports', ({ project, file }) => {
    expect(found.get(`${project}/src/${file}`) ?? '').not.toContain(RULE);
  });
});
