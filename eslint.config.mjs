import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/**
 * The arrows of the house, one row a project: what it may import, and why.
 * Everything that is not listed is refused; `tools/boundaries` proves that the refusal fires.
 */
const arrows = [
  // The domain knows nothing but itself: it runs with `new` alone.
  { from: 'pet-domain', to: [], external: ['fast-check', '@jest/globals'] },
  // What every HTTP edge needs; knows no feature.
  { from: 'http-kernel', to: [] },
  // Serves HTTP and answers errors in the kernel's form: what keys, limits and operations are it is told by the app.
  { from: 'http-server', to: ['http-kernel'] },
  // Plans, windows and the interceptor can be lifted out as they are.
  { from: 'rate-limit', to: ['test-servers'] },
  // A key carries a plan, whose type and names belong to the limiter.
  { from: 'api-key', to: ['rate-limit', 'test-servers'] },
  { from: 'configuration', to: [] },
  // Watches any HTTP server: what a request, a limiter or a pool is called it is told by the app.
  { from: 'observability', to: [] },
  { from: 'embedded-postgres', to: [] },
  // Implements the ports of the two domains that are stored.
  { from: 'persistence', to: ['pet-domain', 'api-key', 'test-servers'] },
  // Stands outside the house: it knows the service by its document alone.
  { from: 'client', to: ['test-servers'] },
  // Checks what consumers see: document, generated clients, guide.
  { from: 'consumer', to: ['client', 'http-kernel', 'test-servers'] },
  // Real servers for tests; never imported by product code.
  { from: 'test-servers', to: ['embedded-postgres'] },
  // Plants forbidden imports in a copy; imports none itself.
  { from: 'boundaries', to: [] },
  // Reads lockfiles, manifests and documents of the workspace; imports none of it.
  { from: 'supply-chain', to: [] },
  // Measures built programs from outside; its tests are of its arithmetic.
  { from: 'bench', to: [] },
  {
    from: 'api',
    to: [
      'pet-domain',
      'http-kernel',
      'http-server',
      'rate-limit',
      'api-key',
      'configuration',
      'observability',
      'embedded-postgres',
      'persistence',
      'test-servers',
    ],
  },
  {
    from: 'operator-cli',
    to: ['rate-limit', 'api-key', 'configuration', 'embedded-postgres', 'persistence', 'test-servers'],
  },
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/.nx/**', '**/.data/**', '**/.cache/**'] },
  // The peers of the benchmark are no part of the workspace.
  { ignores: ['tools/bench/http/peers/**'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.spec.json'], tsconfigRootDir: process.cwd() },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      // Nest modules and DTOs are classes whose content is their decorators.
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowWithDecorator: true, allowStaticOnly: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Nest and Express declare plain objects as classes.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
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
              message: 'Use Documented of libs/http-kernel, which loads it with the document.',
              allowTypeImports: true,
            },
          ],
        },
      ],
      'max-lines': ['error', { max: 250, skipComments: true, skipBlankLines: true }],
    },
  },
  {
    files: ['**/*.spec.ts', '**/test/**/*.ts', 'src/**/testing/**/*.ts'],
    rules: { 'max-lines': 'off' },
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
