import { describe, expect, it } from '@jest/globals';
import type { DocsPage } from './docs-page.js';
import { allOnOnePage } from './pages.js';

/** Somebody explores the API on the docs page. */
export function describeTryingOut(docs: DocsPage): void {
  describe('somebody who tries operations', () => {
    allOnOnePage(docs);

    it('opens what the address names in the open tab, also on the way back', async () => {
      const { page } = docs;
      const isOpen = (id: string) =>
        docs.operation(id).locator('.opblock-summary-control[aria-expanded=true]').waitFor();
      await page.evaluate("location.hash = '#/Pets/createPet'");
      await isOpen('createPet');
      await page.evaluate("location.hash = '#/Pets/deletePet'");
      await isOpen('deletePet');
      // Closing it is a step of the history, too.
      await docs.operation('createPet').locator('.opblock-summary-control').click();
      while ((await page.evaluate('location.hash')) !== '#/Pets/createPet') await page.goBack();
      await isOpen('createPet');
    });

    it('filters operations by what they are called and do', async () => {
      const { page } = docs;
      const filter = page.locator('.operation-filter-input');
      await filter.fill('deletep');
      await page.waitForFunction("document.querySelectorAll('.opblock').length === 1");
      expect(await docs.operation('deletePet').isVisible()).toBe(true);
      await filter.fill('pets');
      await docs.operation('createPet').waitFor();
    });

    it('sends nothing optional unchosen, and no id of a deletion that nobody has entered', async () => {
      const list = await docs.unfold('listPets');
      expect(await docs.send('listPets')).toMatch(/^401/);
      expect(await list.locator('.request-url').innerText()).toMatch(/\/v1\/pets\s*$/);
      expect(await list.locator('[data-param-name=limit]').innerText()).toContain(
        'From 1 to 100. Unless sent: 20.',
      );
      expect(await docs.page.locator('#limits').innerText()).toMatch(/^Your address: \d+ of \d+ left/);
      const remove = await docs.unfold('deletePet');
      expect(await remove.getByPlaceholder('petId').inputValue()).toBe('');
      await remove.getByRole('button', { name: 'Execute' }).click();
      await remove.locator('.invalid').first().waitFor();
      expect(await remove.locator('.live-responses-table').count()).toBe(0);
    });

    it('pastes a key with Bearer before it, and is told when it is none', async () => {
      const { page, running } = docs;
      await docs.authorize(`Bearer ${await running.issueKey()} `);
      expect(await docs.execute('listPets')).toMatch(/^200/);
      await page.getByRole('button', { name: 'Authorize' }).first().click();
      await page.locator('.auth-btn-wrapper button', { hasText: 'Logout' }).click();
      await page.getByLabel('auth-bearer-value').fill('a password');
      await page.locator('.auth-btn-wrapper button', { hasText: 'Authorize' }).click();
      expect(await page.locator('.auth-container .errors').innerText()).toContain('This is not an API key');
      await page.keyboard.press('Escape');
      expect(await docs.execute('listPets')).toMatch(/^401/);
    });

    it('stays in the dialog for the key with the keyboard', async () => {
      const { page } = docs;
      await page.getByRole('button', { name: 'Authorize' }).first().click();
      const isInside = "document.querySelector('.modal-ux').contains(document.activeElement)";
      for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
        await page.keyboard.press(key);
        expect([key, await page.evaluate(isInside)]).toEqual([key, true]);
      }
      await page.keyboard.press('Escape');
      await page.locator('.dialog-ux').waitFor({ state: 'detached' });
    });

    it('is led to what there is when no script runs', async () => {
      const context = await docs.browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${docs.running.service.origin}/docs`);
      const links = page.locator('.placeholder a');
      for (const link of await links.all()) {
        const href = new URL((await link.getAttribute('href')) ?? '', page.url());
        expect([href.pathname, (await fetch(href)).status]).toEqual([href.pathname, 200]);
      }
      expect(await links.count()).toBe(4);
      await page.keyboard.press('Tab');
      expect(await page.locator('.skip:focus').innerText()).toBe('Skip to the operations');
      await context.close();
    });
  });
}
