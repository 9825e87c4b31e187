import { describe, expect, it } from '@jest/globals';
import type { DocsPage } from './docs-page.js';
import { KeyPage } from './key-page.js';
import { eachOnItsPage } from './pages.js';
import { PathPrefix } from './path-prefix.js';

/** Two and a half screens: what there is to fill in and what comes back. */
const MAX_HEIGHT = 2_000;

/** How an operation is laid out; the block has one page. */
export function describeLayout(at: () => DocsPage): void {
  describe('an open operation', () => {
    it('shows parameters, body and success; errors and header fields are one line each', async () => {
      const docs = at();
      const block = await docs.unfold('createPet');
      const errors = block.locator('.fold button');
      await errors.first().waitFor();
      expect((await block.boundingBox())?.height).toBeLessThan(MAX_HEIGHT);
      expect(await errors.allInnerTexts()).toContain('idempotency_in_progress');
      const open = await block.locator('tr.response').all();
      expect(await Promise.all(open.map((row) => row.getAttribute('data-code')))).toEqual(['201']);
      expect(await block.getByText('Requests that the window still admits.').isVisible()).toBe(false);
      await block.getByText(/^Header fields \(\d+\)$/).click();
      expect(await block.getByText('Requests that the window still admits.').isVisible()).toBe(true);
    });

    it('opens an error for who asks for it, or receives it', async () => {
      const docs = at();
      const block = await docs.unfold('createPet');
      const reused = block.getByRole('button', { name: 'idempotency_key_reused' });
      const description = block.getByText(
        'The Idempotency-Key was already used for another operation or body.',
      );
      await reused.click();
      await description.first().waitFor();
      expect(await reused.getAttribute('aria-expanded')).toBe('true');
      await reused.click();
      expect(await description.count()).toBe(0);
      expect(await docs.send('createPet')).toMatch(/^401/);
      await block.locator('tr.response[data-code="401"]').waitFor();
    });
  });
}

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
