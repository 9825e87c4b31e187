import { describe, expect, it } from '@jest/globals';
import type { DocsPage } from './docs-page.js';
import { KeyPage } from './key-page.js';
import { eachOnItsPage } from './pages.js';

/** Where a key that was pasted is, and where it never is. */
export function describeKeySecrecy(docs: DocsPage): void {
  describe('a key on the key page', () => {
    eachOnItsPage(docs);

    it('is in memory alone, and is forgotten', async () => {
      const { page, running } = docs;
      const key = await running.issueKey({ name: 'Forgotten' });
      const shown = await KeyPage.open(docs);
      const field = page.getByLabel('API key');
      for (const [name, value] of [
        ['type', 'password'],
        ['autocomplete', 'off'],
        ['name', null],
      ] as const)
        expect([name, await field.getAttribute(name)]).toEqual([name, value]);
      const history = await page.evaluate('history.length');
      await shown.enter(key);
      await shown.expectNoTraceOf(key);
      expect(await page.evaluate('history.length')).toBe(history);
      await page.getByRole('button', { name: 'Forget the key' }).click();
      await page.getByText('The key is forgotten.').waitFor();
      expect(await page.locator('main').innerText()).not.toContain('Forgotten');
      expect(await field.isVisible()).toBe(true);
      await shown.enter(key);
      await page.getByRole('link', { name: 'Guide' }).click();
      await page.getByRole('heading', { name: 'Guide', level: 1 }).waitFor();
      await page.goBack();
      await field.waitFor();
      expect(await field.inputValue()).toBe('');
      expect(await page.locator('main').innerText()).not.toContain('Forgotten');
      await shown.expectNoTraceOf(key);
    });

    it('is forgotten with what the service sends later', async () => {
      const { page, running } = docs;
      const shown = await KeyPage.open(docs);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/v1/usage', async (route) => {
        await released;
        await route.continue().catch(() => undefined);
      });
      await shown.submit(await running.issueKey({ name: 'Forgotten' }));
      await page.getByRole('button', { name: 'Forget the key' }).click();
      release();
      await page.unroute('**/v1/usage');
      await shown.enter(await running.issueKey({ name: 'Another' }));
      expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Another']);
    });
  });
}
