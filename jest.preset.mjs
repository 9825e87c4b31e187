// One jest configuration for every project; a project's jest.config.mjs re-exports it.
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('.', import.meta.url));

export default {
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
  testEnvironment: 'node',
  // Unless said, a folder that stays in the temporary folder of the system.
  cacheDirectory: `${workspace}.cache/jest`,
  // The second one counts for the last line of `npm test`.
  reporters: ['default', `${workspace}tools/jest-tally.mjs`],
  // What the reporter and the compiler write starts no new run in watch mode.
  watchPathIgnorePatterns: ['/\\.cache/', '/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: {
    // Tests run on the sources: '@petstore/x' is that project's index, '@petstore/x/nest'
    // its Nest modules, './y.js' is './y.ts'.
    '^@petstore/(arbitraries|test-servers|testing)$': `${workspace}tools/$1/src/index.ts`,
    '^@petstore/api$': `${workspace}apps/api/src/index.ts`,
    '^@petstore/([a-z-]+)$': `${workspace}libs/$1/src/index.ts`,
    '^@petstore/([a-z-]+)/([a-z-]+)$': `${workspace}libs/$1/src/$2/index.ts`,
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  // Against tests that hang: no test is about it, and a busy machine takes several times as long as a quiet one.
  testTimeout: 60_000,
};
