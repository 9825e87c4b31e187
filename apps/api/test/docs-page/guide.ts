import { describe, expect, it } from '@jest/globals';
import type { DocsPage } from './docs-page.js';
import { eachOnItsPage } from './pages.js';

/** The guide, as readers see it. */
export function describeGuide(at: () => DocsPage): void {
  describe('the guide in a browser', () => {
    eachOnItsPage(at);

    it('is led to by the docs page, and leads back', async () => {
      const docs = at();
      await docs.goToOperations();
      await docs.page.getByRole('link', { name: 'Guide' }).click();
      await docs.page.getByRole('heading', { name: 'Guide', level: 1 }).waitFor();
      await docs.page.getByRole('link', { name: 'Try it' }).click();
      await docs.page.locator('.opblock').first().waitFor();
      await docs.page.getByRole('link', { name: 'Your key' }).click();
      await docs.page.getByRole('heading', { name: 'Your key', level: 1 }).waitFor();
    });

    it('leads to the key page, and back', async () => {
      const { page, running } = at();
      await page.goto(`${running.service.origin}/docs/guide/limits`);
      await page.getByRole('link', { name: 'Your key', exact: true }).click();
      await page.waitForURL('**/docs/key');
      await page.getByRole('link', { name: 'Guide' }).click();
      await page.waitForURL('**/docs/guide');
      await page.goto(`${running.service.origin}/docs/guide/keys`);
      await page.getByRole('link', { name: 'its page' }).click();
      await page.waitForURL('**/docs/key');
    });

    it('is searched without a server, by all words', async () => {
      const { page, running } = at();
      await page.goto(`${running.service.origin}/docs/guide/limits`);
      const input = page.getByRole('searchbox');
      await input.fill('pet_not_found');
      await page.locator('.found a').first().waitFor();
      expect(await page.locator('.found a').first().innerText()).toBe('Errors: pet_not_found');
      await input.fill('strong comparison of <b>nothing</b>');
      await page.getByText('Nothing found.').waitFor();
      await input.fill('retry-after python');
      await page.locator('.found a', { hasText: 'Retries: Python' }).waitFor();
      await input.fill('pet_not_found');
      await page.locator('.found a', { hasText: 'pet_not_found' }).first().waitFor();
      await input.press('Enter');
      await page.waitForURL('**/docs/guide/errors#pet_not_found');
      expect(await page.locator('tr:target').innerText()).toContain('No animal has the id in the path.');
    });

    it('fits a phone', async () => {
      const { page, running } = at();
      await page.setViewportSize({ width: 360, height: 740 });
      for (const name of ['errors', 'adoption', 'first-call', 'contract']) {
        await page.goto(`${running.service.origin}/docs/guide/${name}`);
        expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 360]);
      }
    });
  });
}
