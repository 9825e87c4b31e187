/** Text of each file of a new lib, by its path. */
export function filesOf(name, version) {
  const folder = `libs/${name}`;
  const constant = name.replaceAll('-', '_').toUpperCase();
  return {
    [`${folder}/package.json`]: json({
      name: `@petstore/${name}`,
      version,
      private: true,
      license: 'MIT',
      type: 'module',
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      nx: { tags: [`project:${name}`], targets: { build: {}, typecheck: {}, lint: {}, test: {} } },
    }),
    [`${folder}/tsconfig.json`]: json({
      extends: '../../tsconfig.base.json',
      compilerOptions: {
        composite: true,
        rootDir: 'src',
        outDir: 'dist',
        tsBuildInfoFile: 'dist/.tsbuildinfo',
      },
      include: ['src'],
      exclude: ['src/**/*.spec.ts', 'src/**/testing/**'],
      references: [],
    }),
    [`${folder}/tsconfig.spec.json`]: json({
      extends: '../../tsconfig.base.json',
      compilerOptions: { noEmit: true, rootDir: '../../', types: ['node'] },
      include: ['src', 'test'],
      references: [],
    }),
    [`${folder}/jest.config.mjs`]: "export { default } from '../../jest.preset.mjs';\n",
    [`${folder}/README.md`]: readme(name),
    [`${folder}/src/index.ts`]: `export { ${constant} } from './${name}.js';\n`,
    [`${folder}/src/${name}.ts`]: `/** To be replaced by what this lib is for. */\nexport const ${constant} = '${name}';\n`,
    [`${folder}/src/${name}.spec.ts`]: `import { expect, it } from '@jest/globals';
import { ${constant} } from './${name}.js';

it('is to be replaced by what this lib promises', () => {
  expect(${constant}).toBe('${name}');
});
`,
  };
}

function readme(name) {
  return `# @petstore/${name}

One paragraph: what it is for, and its most important exports.

- **May import**: nothing.
- **Test alone**: \`npx nx run @petstore/${name}:test\`, or \`npm run test:watch -- ${name}\`.
- **Owner**: whoever decides about its subject.
`;
}

const json = (value) => JSON.stringify(value);
