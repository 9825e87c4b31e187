import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '@petstore/test-servers';
import { runService, type RunningService } from './running-service.js';

let running: RunningService;
let browser: Browser;
let page: Page;
let requested: string[];
let complaints: string[];

beforeAll(async () => {
  [running, browser] = await Promise.all([runService(), launchChromium()]);
}, 60_000);
afterAll(async () => {
  await browser.close();
  await running.close();
});
beforeEach(async () => {
  page = await browser.newPage();
  requested = [];
  complaints = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The browser notes every response of 4xx; those are wanted here.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  await page.goto(`${running.service.origin}/docs`);
  await page.locator('.opblock').first().waitFor();
});
afterEach(async () => {
  expect(complaints).toEqual([]);
  for (const url of requested) expect(url).toMatch(new RegExp(`^(${running.service.origin}/|data:)`));
  await page.close();
});

const operation = (id: string) => page.locator(`[id$="-${id}"]`);

async function authorize(key: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByLabel('auth-bearer-value').fill(key);
  await page.getByRole('button', { name: 'Apply credentials' }).click();
  await page.getByRole('button', { name: 'Close' }).last().click();
}

/** Opens an operation, sends its request, and gives back the status that the page shows. */
async function execute(id: string): Promise<string> {
  await operation(id).locator('.opblock-summary-control').click();
  return send(id);
}

/** Sends the request of an operation that is open, and gives back the status that the page shows. */
async function send(id: string): Promise<string> {
  const block = operation(id);
  await block.getByRole('button', { name: 'Execute' }).click();
  const status = block.locator('.live-responses-table tbody .response-col_status');
  await status.waitFor();
  return (await status.innerText()).trim();
}

describe('the docs page', () => {
  it('shows all operations in their groups, the deprecated one as such', async () => {
    expect(await page.title()).toBe('Pet Store Service');
    const { webhooks: events } = (await (await fetch(`${running.service.origin}/openapi.json`)).json()) as {
      webhooks: Record<string, { post: { operationId: string } }>;
    };
    const blocks = await page.locator('.opblock').all();
    expect(await Promise.all(blocks.map((block) => block.getAttribute('id')))).toEqual([
      'operations-Pets-listPets',
      'operations-Pets-createPet',
      'operations-Pets-deletePet',
      'operations-Pets-getPet',
      'operations-Pets-updatePet',
      'operations-Categories-listCategories',
      'operations-Categories-createCategory',
      'operations-Categories-deleteCategory',
      'operations-Categories-getCategory',
      'operations-Categories-putCategory',
      'operations-Store-getInventory',
      'operations-Store-listOrders',
      'operations-Store-placeOrder',
      'operations-Store-getOrder',
      'operations-Store-approveOrder',
      'operations-Store-cancelOrder',
      'operations-Store-declineOrder',
      'operations-Store-deliverOrder',
      'operations-Store-returnOrder',
      'operations-Events-listEvents',
      'operations-Webhooks-listWebhooks',
      'operations-Webhooks-createWebhook',
      'operations-Webhooks-deleteWebhook',
      'operations-Webhooks-getWebhook',
      'operations-Webhooks-updateWebhook',
      'operations-Webhooks-listDeliveries',
      'operations-Webhooks-redeliver',
      'operations-Webhooks-recoverWebhook',
      'operations-Webhooks-rotateWebhookSecret',
      'operations-Webhooks-testWebhook',
      // What is sent to receivers stands behind all that can be called.
      ...Object.keys(events)
        .sort()
        .map((type) => `operations-webhooks-${events[type]?.post.operationId}`),
    ]);
    expect(await page.locator('.opblock-deprecated').count()).toBe(1);
    expect(await operation('getPet').getAttribute('class')).toContain('opblock-deprecated');
  });

  it('lists animals after "Authorize" with a key', async () => {
    expect(await execute('listPets')).toMatch(/^401/);
    await authorize(await running.issueKey());
    await operation('listPets').getByRole('button', { name: 'Execute' }).click();
    await operation('listPets')
      .locator('.live-responses-table .response-col_status', { hasText: '200' })
      .waitFor();
  });

  it('adds an animal with "Try it out" and fetches it', async () => {
    await authorize(await running.issueKey());
    expect(await execute('createPet')).toMatch(/^201/);
    const created = await operation('createPet')
      .locator('.live-responses-table .microlight')
      .first()
      .innerText();
    const [, id = ''] = /"id": (\d+)/.exec(created) ?? [];
    await operation('getPet').locator('.opblock-summary-control').click();
    await operation('getPet').getByPlaceholder('petId').fill(id);
    await operation('getPet').getByRole('button', { name: 'Execute' }).click();
    await operation('getPet')
      .locator('.live-responses-table .response-col_status', { hasText: '200' })
      .waitFor();
  });

  it('changes an animal, only in the state that was seen, and removes it', async () => {
    await authorize(await running.issueKey());
    expect(await execute('createPet')).toMatch(/^201/);
    const created = await operation('createPet').locator('.live-responses-table').innerText();
    const [, id = ''] = /"id": (\d+)/.exec(created) ?? [];
    const [, etag = ''] = /^ *etag: (".*") *$/m.exec(created) ?? [];
    for (const [name, status] of [
      ['updatePet', /^200/],
      ['deletePet', /^412/],
    ] as const) {
      await operation(name).locator('.opblock-summary-control').click();
      await operation(name).getByPlaceholder('petId').fill(id);
      await operation(name).getByPlaceholder('If-Match').fill(etag);
      if (name === 'updatePet') await operation(name).locator('textarea').fill('{"name":"Changed"}');
      expect(await send(name)).toMatch(status);
    }
    await operation('deletePet').getByPlaceholder('If-Match').fill('*');
    await operation('deletePet').getByRole('button', { name: 'Execute' }).click();
    await operation('deletePet')
      .locator('.live-responses-table .response-col_status', { hasText: '204' })
      .waitFor();
  });

  it('says when the deprecated operation goes and what to use instead', async () => {
    expect(await operation('getPet').locator('.opblock-summary').innerText()).toContain(
      'until 5 December 2030',
    );
    await operation('getPet').locator('.opblock-summary-control').click();
    const description = await operation('getPet').locator('.opblock-description').innerText();
    expect(description).toContain('Use GET /pets with a status filter instead.');
  });

  it('shows what is left of both windows after a response', async () => {
    await authorize(await running.issueKey({ plan: 'free' }));
    expect(await execute('listPets')).toMatch(/^200/);
    expect(await page.locator('#limits').innerText()).toBe(
      '59 of 60 left this minute · 999 of 1000 left this day',
    );
    const reply = await operation('listPets').locator('.live-responses-table').innerText();
    expect(reply).toContain('x-ratelimit-remaining: 59');
  });

  it('remembers the key in its tab, and in no other', async () => {
    await authorize(await running.issueKey());
    await page.reload();
    await page.locator('.opblock').first().waitFor();
    expect(await execute('listPets')).toMatch(/^200/);
    const other = await browser.newPage();
    await other.goto(`${running.service.origin}/docs`);
    expect(await other.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    await other.close();
  });

  it.each(['light', 'dark'] as const)('is %s when the system is', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    const root = colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)';
    await page.locator(root).waitFor();
  });

  it('fits a phone, also with a response open', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await authorize(await running.issueKey());
    expect(await execute('listPets')).toMatch(/^200/);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});
