import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('.', import.meta.url));

/** A folder of the sources, or a file beside them. */
const folderOf = (path: string): string => path.split('/')[0] ?? '';

/** Folders by folder that imports from them; imports of types count. */
function importsOfFolders(): Map<string, Set<string>> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const imports = new Map<string, Set<string>>();
  for (const file of files) {
    const imported = imports.get(folderOf(file)) ?? new Set();
    imports.set(folderOf(file), imported);
    for (const [, path = ''] of readFileSync(join(SOURCES, file), 'utf8').matchAll(/'(\.\.?\/[^']*\.js)'/g))
      imported.add(folderOf(join(dirname(file), path).replace(/\.js$/, '.ts')));
    imported.delete(folderOf(file));
  }
  return imports;
}

it('imports between folders run down, layer by layer', () => {
  const left = importsOfFolders();
  expect(left.size).toBeGreaterThan(20);
  for (;;) {
    const layer = [...left].filter(([, imports]) => ![...imports].some((folder) => left.has(folder)));
    if (layer.length === 0) break;
    for (const [folder] of layer) left.delete(folder);
  }
  // What is left needs itself, by way of others.
  expect(Object.fromEntries([...left].map(([folder, imports]) => [folder, [...imports]]))).toEqual({});
});

it('only the start knows the settings of all features', () => {
  const importers = [...importsOfFolders()].filter(([, imports]) => imports.has('configuration'));
  expect(importers.map(([folder]) => folder).sort()).toEqual([
    'app.module.ts',
    'index.ts',
    'program.ts',
    'startup',
  ]);
});
