import { describe, expect, it } from '@jest/globals';
import { snippetsIn } from './snippets.js';

describe('snippetsIn', () => {
  it('finds the blocks of code that name a file, and no others', () => {
    const markdown =
      '```ts\n// a/main.ts\none;\n```\n\n```ts\nno name;\n```\n\n```js\n// b.js\ntwo;\n\n2;\n```\n';
    expect(snippetsIn(markdown)).toEqual({ 'a/main.ts': 'one;\n', 'b.js': 'two;\n\n2;\n' });
  });

  it('refuses two of one name', () => {
    const block = '```ts\n// a.ts\none;\n```\n';
    expect(() => snippetsIn(block + block)).toThrow('Two blocks of code are called a.ts.');
  });
});
