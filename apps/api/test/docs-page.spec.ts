import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeAccessibility } from './docs-page/accessibility.js';
import { DocsPage } from './docs-page/docs-page.js';
import { describeExactExamples, describeExactNumbers } from './docs-page/exact-numbers.js';
import { describeGuide } from './docs-page/guide.js';
import { describeKeyPage } from './docs-page/key.js';
import { describeKeySecrecy } from './docs-page/key-secrecy.js';
import { describePathPrefix } from './docs-page/served-elsewhere.js';
import { allOnOnePage, eachOnItsPage } from './docs-page/pages.js';

let docs: DocsPage;

beforeAll(async () => {
  docs = await DocsPage.launch();
}, 60_000);
afterAll(() => docs.close());

const at = (): DocsPage => docs;

describeExactExamples(at);
describeGuide(at);
describeAccessibility(at);
describeKeyPage(at);
describeKeySecrecy(at);
describePathPrefix(at);

describe('the docs page', () => {
  allOnOnePage(at);

  it('shows all operations in their groups, the deprecated one as such', async () => {
    expect(await docs.page.title()).toBe('Pet Store Service');
    const blocks = await docs.page.locator('.opblock').all();
    expect(await Promise.all(blocks.map((block) => block.getAttribute('id')))).toEqual([
      'operations-Pets-listPets',
      'operations-Pets-createPet',
      'operations-Pets-getPet',
      'operations-Pets-updatePet',
      'operations-Pets-deletePet',
      'operations-Categories-listCategories',
      'operations-Categories-createCategory',
      'operations-Categories-getCategory',
      'operations-Categories-putCategory',
      'operations-Categories-deleteCategory',
      'operations-Store-listOrders',
      'operations-Store-placeOrder',
      'operations-Store-getOrder',
      'operations-Store-cancelOrder',
      'operations-Store-approveOrder',
      'operations-Store-deliverOrder',
      'operations-Store-declineOrder',
      'operations-Store-returnOrder',
      'operations-Store-getInventory',
      'operations-Events-listEvents',
      'operations-Keys-getUsage',
      'operations-Webhooks-listWebhooks',
      'operations-Webhooks-createWebhook',
      'operations-Webhooks-getWebhook',
      'operations-Webhooks-updateWebhook',
      'operations-Webhooks-deleteWebhook',
      'operations-Webhooks-rotateWebhookSecret',
      'operations-Webhooks-testWebhook',
      'operations-Webhooks-listDeliveries',
      'operations-Webhooks-redeliver',
      'operations-Webhooks-recoverWebhook',
    ]);
    expect(await docs.page.locator('.opblock-deprecated').count()).toBe(1);
    expect(await docs.operation('getPet').getAttribute('class')).toContain('opblock-deprecated');
  });

  it('leads to the document of what is sent to webhooks', async () => {
    const link = docs.page.getByRole('link', { name: 'openapi-webhooks.json' });
    const { href } = new URL((await link.getAttribute('href')) ?? '', docs.page.url());
    expect(href).toBe(`${docs.running.service.origin}/openapi-webhooks.json`);
  });

  it('says when the deprecated operation goes and what to use instead', async () => {
    expect(await docs.operation('getPet').locator('.opblock-summary').innerText()).toContain(
      'until 5 December 2030',
    );
    await docs.unfold('getPet');
    const description = await docs.operation('getPet').locator('.opblock-description').innerText();
    expect(description).toContain('Use GET /pets with a status filter instead.');
  });

  it.each(['light', 'dark'] as const)('is %s when the system is', async (colorScheme) => {
    await docs.page.emulateMedia({ colorScheme });
    const root = colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)';
    await docs.page.locator(root).waitFor();
  });

  it('lists animals after "Authorize" with a key', async () => {
    expect(await docs.execute('listPets')).toMatch(/^401/);
    await docs.authorize(await docs.running.issueKey());
    await docs.operation('listPets').getByRole('button', { name: 'Execute' }).click();
    await docs
      .operation('listPets')
      .locator('.live-responses-table .response-col_status', { hasText: '200' })
      .waitFor();
  });

  it('adds an animal with "Try it out" and fetches it', async () => {
    await docs.authorize(await docs.running.issueKey());
    expect(await docs.execute('createPet')).toMatch(/^201/);
    const created = await docs
      .operation('createPet')
      .locator('.live-responses-table .microlight')
      .first()
      .innerText();
    const [, id = ''] = /"id": (\d+)/.exec(created) ?? [];
    await docs.unfold('getPet');
    await docs.operation('getPet').getByPlaceholder('petId').fill(id);
    await docs.operation('getPet').getByRole('button', { name: 'Execute' }).click();
    await docs
      .operation('getPet')
      .locator('.live-responses-table .response-col_status', { hasText: '200' })
      .waitFor();
  });

  it('changes an animal, only in the state that was seen, and removes it', async () => {
    await docs.authorize(await docs.running.issueKey());
    expect(await docs.execute('createPet')).toMatch(/^201/);
    const created = await docs.operation('createPet').locator('.live-responses-table').innerText();
    const [, id = ''] = /"id": (\d+)/.exec(created) ?? [];
    const [, etag = ''] = /^ *etag: (".*") *$/m.exec(created) ?? [];
    for (const [name, status] of [
      ['updatePet', /^200/],
      ['deletePet', /^412/],
    ] as const) {
      await docs.unfold(name);
      await docs.operation(name).getByPlaceholder('petId').fill(id);
      await docs.operation(name).getByPlaceholder('If-Match').fill(etag);
      if (name === 'updatePet') await docs.operation(name).locator('textarea').fill('{"name":"Changed"}');
      expect(await docs.send(name)).toMatch(status);
    }
    await docs.operation('deletePet').getByPlaceholder('If-Match').fill('*');
    await docs.operation('deletePet').getByRole('button', { name: 'Execute' }).click();
    await docs
      .operation('deletePet')
      .locator('.live-responses-table .response-col_status', { hasText: '204' })
      .waitFor();
  });

  it('shows what is left of both windows after a response', async () => {
    await docs.authorize(await docs.running.issueKey({ plan: 'free' }));
    expect(await docs.execute('listPets')).toMatch(/^200/);
    expect(await docs.page.locator('#limits').innerText()).toBe(
      '59 of 60 left this minute · 999 of 1000 left this day',
    );
    const reply = await docs.operation('listPets').locator('.live-responses-table').innerText();
    expect(reply).toContain('x-ratelimit-remaining: 59');
  });

  describeExactNumbers(at);

  it('fits a phone, also with a response open', async () => {
    await docs.page.setViewportSize({ width: 360, height: 740 });
    await docs.authorize(await docs.running.issueKey());
    expect(await docs.execute('listPets')).toMatch(/^200/);
    expect(await docs.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});

describe('the docs page in other tabs', () => {
  eachOnItsPage(at);

  it('remembers the key in its tab, and in no other', async () => {
    await docs.goToOperations();
    await docs.authorize(await docs.running.issueKey());
    await docs.page.reload();
    await docs.page.locator('.opblock').first().waitFor();
    expect(await docs.execute('listPets')).toMatch(/^200/);
    const other = await docs.browser.newPage();
    await other.goto(`${docs.running.service.origin}/docs`);
    expect(await other.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    await other.close();
  });
});
