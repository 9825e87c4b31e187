import { describe, expect, it } from '@jest/globals';
import type { DocsPage } from './docs-page.js';
import { KeyPage } from './key-page.js';
import { eachOnItsPage } from './pages.js';
import { PathPrefix } from './path-prefix.js';

/** Where the page can be served. */
export function describePathPrefix(at: () => DocsPage): void {
  describe('the docs page elsewhere', () => {
    eachOnItsPage(at);

    it('works below a path prefix, the guide and the key page, too', async () => {
      const docs = at();
      const proxy = await PathPrefix.listen('/shelter');
      try {
        const service = await docs.running.another({
          PUBLIC_BASE_URL: `${proxy.url}/v1`,
          DOCS_PER_MINUTE: '100000',
        });
        proxy.target = service.origin;
        await docs.goToOperations(`${proxy.url}/`);
        expect(docs.page.url()).toBe(`${proxy.url}/docs`);
        await docs.authorize(await docs.running.issueKey());
        expect(await docs.execute('listPets')).toMatch(/^200/);
        await docs.page.getByRole('link', { name: 'Guide' }).click();
        await docs.page.getByRole('link', { name: 'Errors' }).first().click();
        await docs.page.waitForURL(`${proxy.url}/docs/guide/errors`);
        await docs.page.getByRole('searchbox').fill('sliding');
        await docs.page.locator('.found a').first().click();
        await docs.page.waitForURL(new RegExp(`^${proxy.url}/docs/guide/`));
        await docs.page.getByRole('link', { name: 'Your key' }).click();
        await docs.page.waitForURL(`${proxy.url}/docs/key`);
        const keyPage = new KeyPage(docs);
        await keyPage.enter(await docs.running.issueKey());
        expect(await keyPage.textOf('.note code')).toBe(`${proxy.url}/v1`);
        expect(new Set(keyPage.requests)).toEqual(
          new Set([`${proxy.url}/v1/usage`, `${proxy.url}/v1/webhooks`]),
        );
        await docs.leave(proxy.origin);
        await docs.open();
      } finally {
        proxy.close();
      }
    });
  });
}
