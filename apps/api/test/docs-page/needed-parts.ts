import { describe, expect, it } from '@jest/globals';
import type { DocsPage } from './docs-page.js';

/** In the page: what Swagger UI's own resolver makes of an operation, given all of the document or what is needed of it. */
const RESOLVED = `(async () => {
  const { neededParts } = await import('/docs/needed-parts.js');
  const { fn } = SwaggerUIBundle.plugins.SwaggerClient({ configs: {}, getConfigs: ui.getConfigs });
  const baseDoc = String(new URL(ui.specSelectors.url(), document.baseURI));
  const path = ['paths', '/events', 'get'];
  const resolve = async (part) => {
    const { spec, errors } = await fn.resolveSubtree(part, path, { baseDoc });
    return { text: JSON.stringify(spec), errors };
  };
  const whole = ui.specSelectors.specJS();
  return [await resolve(whole), await resolve(neededParts(whole, path))];
})()`;

/** Operations open at once; the block has one page. */
export function describeNeededParts(at: () => DocsPage): void {
  describe('an operation that is opened', () => {
    it('is resolved as in the whole document', async () => {
      interface Resolved {
        readonly text: string;
        readonly errors: readonly unknown[];
      }
      const resolved = await at().page.evaluate<Resolved[]>(RESOLVED);
      const [whole = '', needed] = resolved.map(({ text }) => text);
      expect(resolved.flatMap(({ errors }) => errors)).toEqual([]);
      // The texts are long; a difference would fill a screen.
      expect([needed === whole, whole.includes('"$ref"'), whole.includes('"previous"')]).toEqual([
        true,
        false,
        true,
      ]);
    });
  });
}
