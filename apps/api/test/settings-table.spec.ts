import { describe, expect, it } from '@jest/globals';
import { documentedSettings } from '../src/configuration/configuration.js';
import { read } from './deploy-files.js';

describe('docs/operations.md', () => {
  it('has the table of settings as the schema has it', () => {
    const cell = (text: string): string => text.replaceAll('|', '\\|');
    const rows = Object.values(documentedSettings()).map(({ variable, meaning, allowed, ...rest }) =>
      [`\`${variable}\``, meaning, allowed, 'fallback' in rest ? `\`${rest.fallback}\`` : ''].map(cell),
    );
    const table =
      /<!-- settings -->\n+([\s\S]*?)\n+<!-- \/settings -->/.exec(read('docs/operations.md'))?.[1] ?? '';
    const written = table
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((text) => text.trim()),
      );
    expect(written).toEqual(rows);
  });
});
