import { describe, expect, it } from '@jest/globals';
import type { DocsPage } from './docs-page.js';
import { eachOnItsPage } from './pages.js';

/** Beyond what JavaScript's numbers hold: they would make 9007199254740992 and 9223372036854776000 of these. */
const ODD = '9007199254740993';
const GREATEST = '9223372036854775807';

/** Numbers on the page are those that were sent; the block has one page. */
export function describeExactNumbers(at: () => DocsPage): void {
  describe('numbers beyond 2^53 on the docs page', () => {
    it('are sent as typed, and shown as in the response', async () => {
      const docs = at();
      await docs.authorize(await docs.running.issueKey());
      const block = await docs.unfold('createPet');
      await block.locator('textarea').fill(`{"name": "${ODD}", "categoryId": ${ODD}}`);
      expect(await docs.send('createPet')).toMatch(/^201/);
      const created = await docs.shownBody('createPet');
      expect(created).toContain(`"categoryId": ${ODD}`);
      expect(created).toContain(`"name": "${ODD}"`);
      expect(await block.locator('.curl-command').innerText()).toContain(`"categoryId": ${ODD}`);
      const list = await docs.unfold('listPets');
      await list.getByPlaceholder('categoryId').fill(ODD);
      expect(await docs.send('listPets')).toMatch(/^200/);
      expect(await list.locator('.request-url').innerText()).toContain(`categoryId=${ODD}`);
      expect(await docs.shownBody('listPets')).toContain(`"categoryId": ${ODD}`);
    });

    it('stand as bounds in the schemas', async () => {
      const block = await at().unfold('createPet');
      await block.getByRole('tab', { name: 'Schema' }).first().click();
      const bounds = block.locator('.json-schema-2020-12__constraint--number').first();
      expect(await bounds.innerText()).toBe(`[1, ${GREATEST}]`);
    });
  });
}

/** The same on a document with such numbers in further places. */
export function describeExactExamples(at: () => DocsPage): void {
  describe('numbers beyond 2^53 on the docs page', () => {
    eachOnItsPage(at);

    it('stand as such in examples, defaults and what is prefilled from them', async () => {
      const docs = at();
      // The document has no such numbers in these places at the moment.
      await docs.page.route('**/openapi.json', async (route) => {
        const text = await (await route.fetch()).text();
        const changed = text
          .replaceAll(/"categoryId": 7\b/g, `"categoryId": ${ODD}`)
          .replaceAll(/"maximum": 100\b/g, `"maximum": ${GREATEST}`)
          .replaceAll(/"(default|example)": 20\b/g, `"$1": ${GREATEST}`);
        await route.fulfill({ contentType: 'application/json', body: changed });
      });
      await docs.goToOperations();
      const block = await docs.unfold('createPet');
      expect(await block.locator('textarea').inputValue()).toContain(`"categoryId": ${ODD}`);
      expect(await block.locator('.response[data-code="201"] .microlight').innerText()).toContain(
        `"categoryId": ${ODD}`,
      );
      expect(await docs.send('createPet')).toMatch(/^401/);
      expect(await block.locator('.curl-command').innerText()).toContain(`"categoryId": ${ODD}`);
      const list = await docs.unfold('listPets');
      expect(await list.getByPlaceholder('limit').inputValue()).toBe(GREATEST);
      expect(await docs.send('listPets')).toMatch(/^401/);
      expect(await list.locator('.request-url').innerText()).toContain(`limit=${GREATEST}`);
      await list.getByRole('button', { name: 'Cancel' }).click();
      expect(await list.locator('.parameter__default').innerText()).toContain(GREATEST);
    });
  });
}
