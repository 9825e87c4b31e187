import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/**
 * The arrows of the house, one row a project: what it may import, and why.
 * Everything that is not listed is refused; `tools/boundaries` proves that the refusal fires.
 */
const arrows = [
  // The domain knows nothing but itself: it runs with `new` alone. Its tests draw from `arbitraries`.
  { from: 'pet-domain', to: ['arbitraries'], external: ['fast-check', '@jest/globals'] },
  // The life of an order, which is of one animal.
  { from: 'order-domain', to: ['pet-domain'], external: ['fast-check', '@jest/globals'] },
  // The order of what happens; it knows no resource but its name.
  { from: 'event-feed', to: [], external: ['fast-check', '@jest/globals'] },
  // Endpoints, signatures, attempts: what is delivered is an event of the feed.
  {
    from: 'webhook',
    to: ['pet-domain', 'event-feed', 'test-servers', 'arbitraries'],
    external: ['fast-check', '@jest/globals', 'ipaddr.js', 'request-filtering-agent', 'standardwebhooks'],
  },
  // Serves HTTP, exactly; features define their errors and header fields with it, and the app supplies what keys, limits
  // and operations are.
  { from: 'http-server', to: ['arbitraries'] },
  // Usable alone, in any application: it is given a client of Redis, and opens its own connections to the same servers.
  { from: 'rate-limit', to: ['test-servers', 'foreign-app'] },
  // Makes every client of Redis for the others.
  { from: 'redis', to: ['test-servers'] },
  // A key carries a plan, whose type and names belong to the limiter; its events travel over Redis; the pepper is a
  // private file.
  {
    from: 'api-key',
    to: ['rate-limit', 'redis', 'private-files', 'test-servers', 'foreign-app', 'arbitraries'],
  },
  // The product's list of scopes, made with the form that keys give them; read by the service and the operator's tool.
  { from: 'scopes', to: ['api-key'] },
  { from: 'configuration', to: [] },
  // Watches any HTTP server: the app supplies the names of requests, limiters and pools.
  { from: 'observability', to: [] },
  // Whose a file is, and who may use it.
  { from: 'private-files', to: [] },
  { from: 'embedded-postgres', to: ['private-files', 'memory-folder'] },
  // Implements the ports of the domains that are stored.
  {
    from: 'persistence',
    to: ['pet-domain', 'order-domain', 'event-feed', 'webhook', 'api-key', 'test-servers', 'arbitraries'],
  },
  // Stands outside the house: it knows the service by its document alone.
  { from: 'client', to: ['test-servers', 'arbitraries'] },
  // Checks what consumers see: document, generated clients, guide.
  { from: 'consumer', to: ['client', 'test-servers'] },
  // Real servers for tests; never imported by product code.
  { from: 'test-servers', to: ['embedded-postgres', 'memory-folder'] },
  // What tests of invariants draw from; never imported by product code.
  { from: 'arbitraries', to: [] },
  // Says where tests put what nobody keeps.
  { from: 'memory-folder', to: [] },
  // Copies the workspace for tests; knows no project that it copies.
  { from: 'workspace-copy', to: ['memory-folder'] },
  // Packs libs and runs them in applications of strangers; knows them by their manifests alone.
  { from: 'foreign-app', to: [] },
  // Plants forbidden imports in a copy; imports none itself.
  { from: 'boundaries', to: ['workspace-copy'] },
  // Runs, generates and releases in a copy.
  { from: 'developer', to: ['workspace-copy'] },
  // Joins what the compiler wrote; imports none of it itself.
  { from: 'bundle', to: [] },
  // Reads documents; imports none of what they describe.
  { from: 'documents', to: [] },
  // Renders documents; knows the service by the folder that it writes to.
  { from: 'guide', to: [] },
  // Reads the imports of all sources.
  { from: 'structure', to: [] },
  // Reads lockfiles, manifests and documents of the workspace; imports none of it.
  { from: 'supply-chain', to: [] },
  // Measures built programs from outside; its tests are of its arithmetic.
  { from: 'bench', to: [] },
  {
    from: 'api',
    to: [
      'pet-domain',
      'event-feed',
      'order-domain',
      'webhook',
      'http-server',
      'rate-limit',
      'redis',
      'api-key',
      'scopes',
      'configuration',
      'observability',
      'embedded-postgres',
      'persistence',
      'test-servers',
      'arbitraries',
    ],
  },
  {
    from: 'operator-cli',
    to: [
      'pet-domain',
      // Reads lines of JSON as bodies of requests are read (`http-server/json`); it serves no HTTP.
      'http-server',
      'rate-limit',
      'redis',
      'api-key',
      'scopes',
      'configuration',
      'embedded-postgres',
      'persistence',
      'test-servers',
    ],
  },
];

/** Files that are tables may have any length. */
const tables = ['**/test/request-shapes.ts', '**/*-initial-schema.ts'];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      'apps/*/bundle/**',
      '**/node_modules/**',
      '**/.nx/**',
      '**/.data/**',
      '**/.cache/**',
    ],
  },
  // The peers of the benchmark are no part of the workspace.
  { ignores: ['tools/bench/http/peers/**'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    // Rules that need types are in .oxlintrc.json.
    extends: [...tseslint.configs.strict, ...tseslint.configs.stylistic],
    // Nest injects by the classes that are imported for types: files with decorators may import them as values.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      // Nest modules and DTOs are classes whose content is their decorators.
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowWithDecorator: true, allowStaticOnly: true },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[object.name="process"][property.name="env"]',
          message: 'Only libs/configuration reads the environment.',
        },
      ],
      // It costs a third of the start, and only the document needs it.
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/swagger',
              message: 'Use Documented of libs/http-server, which loads it with the document.',
              allowTypeImports: true,
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.mjs'],
    ignores: ['**/*.generated.ts', ...tables],
    rules: { 'max-lines': ['error', { max: 200, skipComments: true, skipBlankLines: true }] },
  },
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          depConstraints: arrows.map(({ from, to, external }) => ({
            sourceTag: `project:${from}`,
            onlyDependOnLibsWithTags: to.map((name) => `project:${name}`),
            ...(external ? { allowedExternalImports: external } : {}),
          })),
        },
      ],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
      },
    },
  },
);
