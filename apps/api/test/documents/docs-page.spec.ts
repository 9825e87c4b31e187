import { describe, expect, it, jest } from '@jest/globals';
import { describeAccessibility } from './docs-page/accessibility.js';
import { DocsPage } from './docs-page/docs-page.js';
import { KeyPage } from './docs-page/key-page.js';
import { describeKeySecrecy } from './docs-page/key-secrecy.js';
import { describeKeyPage } from './docs-page/key.js';
import { allOnOnePage, eachOnItsPage } from './docs-page/pages.js';
import { PathPrefix } from './docs-page/path-prefix.js';
import { describeTryingOut } from './docs-page/trying-out.js';

/** Beyond what JavaScript's numbers hold: they would make 9007199254740992 and 9223372036854776000 of these. */
const ODD = '9007199254740993';
const GREATEST = '9223372036854775807';
const PHONE = { width: 360, height: 740 };

// Swagger UI is slow on a busy machine.
jest.setTimeout(120_000);

const docs = await DocsPage.launch();
const widthOfPage = (): Promise<number> => docs.page.evaluate('document.documentElement.scrollWidth');
const goToGuide = (name: string): Promise<unknown> =>
  docs.page.goto(`${docs.running.service.origin}/docs/guide/${name}`);

describeAccessibility(docs);
describeKeyPage(docs);
describeKeySecrecy(docs);
describeTryingOut(docs);

describe('the guide in a browser', () => {
  eachOnItsPage(docs);

  it('leads to the docs page and to the key page, and back', async () => {
    await docs.showAnimalsOnly();
    await docs.page.goto(`${docs.running.service.origin}/docs/guide`);
    await docs.page.getByRole('link', { name: 'Try it' }).click();
    await docs.page.locator('.opblock').first().waitFor();
    await docs.page.getByRole('link', { name: 'Your key' }).click();
    await docs.page.getByRole('heading', { name: 'Your key', level: 1 }).waitFor();
    await docs.page.getByRole('link', { name: 'Guide', exact: true }).click();
    await docs.page.waitForURL('**/docs/guide');
  });

  it('is searched without a server, by all words', async () => {
    const { page } = docs;
    await goToGuide('limits');
    const input = page.getByRole('searchbox');
    await input.fill('strong comparison of <b>nothing</b>');
    await page.getByText('Nothing found.').waitFor();
    await input.fill('retry-after python');
    await page.locator('.found a', { hasText: 'Retries: Python' }).waitFor();
    await input.fill('pet_not_found');
    await page.locator('.found a', { hasText: 'pet_not_found' }).first().waitFor();
    expect(await page.locator('.found a').first().innerText()).toBe('Errors: pet_not_found');
    await input.press('Enter');
    await page.waitForURL('**/docs/guide/errors#pet_not_found');
    expect(await page.locator('tr:target').innerText()).toContain('No animal has the id in the path.');
  });

  it('finds what the text says before what stands in code alone', async () => {
    const { page, running } = docs;
    const word = 'headers';
    const reply = await fetch(`${running.service.origin}/docs/guide/search.json`);
    const index = (await reply.json()) as [url: string, ...texts: string[]][];
    const said = index.filter(([, ...texts]) => texts.slice(0, 3).join(' ').toLowerCase().includes(word));
    await goToGuide('limits');
    await page.getByRole('searchbox').fill(word);
    await page.locator('.found a').first().waitFor();
    const found = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.found a')].map(({ href }) => href)",
    );
    const isSaid = found.map((href) => said.some(([url]) => href.endsWith(`/docs/${url}`)));
    expect(isSaid).toContain(false);
    expect(isSaid).toEqual(isSaid.toSorted((one, other) => Number(other) - Number(one)));
  });

  it('copies a snippet as it stands there, and names this service in code', async () => {
    const { page, running } = docs;
    await goToGuide('first-call');
    const snippet = page.locator('.snippet').first();
    expect(
      await page.locator('main code', { hasText: 'export PETSTORE_URL=' }).first().innerText(),
    ).toContain(`export PETSTORE_URL=${running.service.origin}/v1 PETSTORE_KEY=`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await snippet.getByRole('button', { name: 'Copy' }).click();
    await snippet.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await snippet.locator('code').textContent(),
    );
    // What a program prints is no snippet.
    expect(await page.locator('.snippet .language-plaintext').count()).toBe(0);
  });

  it('fits a phone', async () => {
    await docs.page.setViewportSize(PHONE);
    for (const name of ['errors', 'adoption', 'first-call', 'contract']) {
      await goToGuide(name);
      expect([name, await widthOfPage()]).toEqual([name, PHONE.width]);
    }
  });
});

describe('the docs page as it is opened', () => {
  eachOnItsPage(docs);

  it('shows all operations in their groups, the deprecated one as such, and leads to the webhooks', async () => {
    await docs.goToOperations();
    expect(await docs.page.title()).toBe('Pet Store Service');
    const document = (await (await fetch(`${docs.running.service.origin}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { tags: string[]; operationId: string }>>;
    };
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    const blocks = await docs.page.locator('.opblock').all();
    expect(await Promise.all(blocks.map((block) => block.getAttribute('id')))).toEqual(
      operations.map(({ tags, operationId }) => `operations-${tags.join()}-${operationId}`),
    );
    expect(await docs.page.locator('.opblock-deprecated').count()).toBe(1);
    expect(await docs.operation('getPet').getAttribute('class')).toContain('opblock-deprecated');
    const link = docs.page.getByRole('link', { name: 'openapi-webhooks.json' });
    const { href } = new URL((await link.getAttribute('href')) ?? '', docs.page.url());
    expect(href).toBe(`${docs.running.service.origin}/openapi-webhooks.json`);
  });

  it('works below a path prefix, the guide and the key page, too', async () => {
    const { page } = docs;
    const proxy = await PathPrefix.listen('/shelter');
    try {
      const environment = { PUBLIC_BASE_URL: `${proxy.url}/v1`, DOCS_PER_MINUTE: '100000' };
      proxy.target = (await docs.running.another(environment)).origin;
      await docs.showAnimalsOnly(undefined, proxy.target);
      await docs.goToOperations(`${proxy.url}/`);
      expect(page.url()).toBe(`${proxy.url}/docs`);
      await docs.authorize(await docs.running.issueKey());
      expect(await docs.execute('listPets')).toMatch(/^200/);
      await page.getByRole('link', { name: 'Guide', exact: true }).click();
      await page.getByRole('link', { name: 'Errors' }).first().click();
      await page.waitForURL(`${proxy.url}/docs/guide/errors`);
      await page.getByRole('searchbox').fill('sliding');
      await page.locator('.found a').first().click();
      await page.waitForURL(new RegExp(`^${proxy.url}/docs/guide/`));
      await page.getByRole('link', { name: 'Your key' }).click();
      await page.waitForURL(`${proxy.url}/docs/key`);
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

  it('has numbers beyond 2^53 as such in examples, defaults and what is prefilled from them', async () => {
    // The document has no such numbers in these places at the moment.
    await docs.showAnimalsOnly((text) =>
      text
        .replaceAll(/"categoryId": 7\b/g, `"categoryId": ${ODD}`)
        .replaceAll(/"maximum": 100\b/g, `"maximum": ${GREATEST}`)
        .replaceAll(/"(default|example)": 20\b/g, `"$1": ${GREATEST}`),
    );
    await docs.goToOperations();
    const block = await docs.unfold('createPet');
    expect(await block.locator('textarea').inputValue()).toContain(`"categoryId": ${ODD}`);
    expect(await block.locator('.response[data-code="201"] .microlight').innerText()).toContain(
      `"categoryId": ${ODD}`,
    );
    expect(await docs.send('createPet')).toMatch(/^401/);
    expect(await block.locator('.curl-command').innerText()).toContain(`"categoryId": ${ODD}`);
    const list = await docs.unfold('listPets');
    expect(await list.locator('[data-param-name=limit]').innerText()).toContain(
      `From 1 to ${GREATEST}. Unless sent: ${GREATEST}.`,
    );
  });
});

describe('the docs page', () => {
  allOnOnePage(docs);

  it('says when the deprecated operation goes and what to use instead', async () => {
    const block = await docs.unfold('getPet');
    expect(await block.locator('.opblock-summary').innerText()).toContain('until 5 December 2030');
    expect(await block.locator('.opblock-description').innerText()).toContain(
      'Use GET /pets with a status filter instead.',
    );
  });

  it.each(['light', 'dark'] as const)('is %s when the system is', async (colorScheme) => {
    await docs.page.emulateMedia({ colorScheme });
    const root = colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)';
    await docs.page.locator(root).waitFor();
  });

  it('lists animals after "Authorize" with a key, and shows what is left of both windows', async () => {
    expect(await docs.execute('listPets')).toMatch(/^401/);
    await docs.authorize(await docs.running.issueKey({ plan: 'free' }));
    expect(await docs.send('listPets')).toMatch(/^200/);
    expect(await docs.page.locator('#limits').innerText()).toBe(
      'This key: 59 of 60 left this minute · 999 of 1000 left this day',
    );
    const reply = await docs.operation('listPets').locator('.live-responses-table').innerText();
    expect(reply).toContain('x-ratelimit-remaining: 59');
  });

  it('adds an animal, changes it only in the state that was seen, and removes it', async () => {
    await docs.authorize(await docs.running.issueKey());
    expect(await docs.execute('createPet')).toMatch(/^201/);
    const created = await docs.operation('createPet').locator('.live-responses-table').innerText();
    const [, id = ''] = /"id": (\d+)/.exec(created) ?? [];
    const [, etag = ''] = /^ *etag: (".*") *$/m.exec(created) ?? [];
    const update = await docs.unfold('updatePet');
    await update.getByPlaceholder('petId').fill(id);
    await update.getByPlaceholder('If-Match').fill(etag);
    await update.locator('textarea').fill('{"name":"Changed"}');
    expect(await docs.send('updatePet')).toMatch(/^200/);
    const remove = await docs.unfold('deletePet');
    await remove.getByPlaceholder('petId').fill(id);
    await remove.getByPlaceholder('If-Match').fill(etag);
    expect(await docs.send('deletePet')).toMatch(/^412/);
    await remove.getByPlaceholder('If-Match').fill('*');
    expect(await docs.send('deletePet')).toMatch(/^204/);
  });

  it('describes an animal, and lists it with its profile', async () => {
    await docs.authorize(await docs.running.issueKey());
    await docs.execute('createPet');
    const [, id = ''] = /"id": (\d+)/.exec(await docs.shownBody('createPet')) ?? [];
    await (await docs.unfold('replacePetProfile')).getByPlaceholder('petId').fill(id);
    // What is prefilled, with its objects and arrays.
    expect(await docs.send('replacePetProfile')).toMatch(/^200/);
    expect(await docs.shownBody('replacePetProfile')).toContain(
      '"url": "https://shelter.example/photos/42-1.jpg"',
    );
    const list = await docs.unfold('listPets');
    await list.locator('[data-param-name="include"] select').selectOption('profile');
    expect(await docs.send('listPets')).toMatch(/^200/);
    expect(await list.locator('.request-url').innerText()).toContain('include=profile');
    expect(await docs.shownBody('listPets')).toContain('"profile": {');
  });

  it('sends numbers beyond 2^53 as typed, and shows them as in the response, and as bounds', async () => {
    await docs.authorize(await docs.running.issueKey());
    const block = await docs.unfold('createPet');
    await block.locator('textarea').fill(`{"name": "${ODD}", "categoryId": ${ODD}}`);
    expect(await docs.send('createPet')).toMatch(/^201/);
    const created = await docs.shownBody('createPet');
    expect(created).toContain(`"categoryId": ${ODD}`);
    expect(created).toContain(`"name": "${ODD}"`);
    expect(await block.locator('.curl-command').innerText()).toContain(`"categoryId": ${ODD}`);
    await block.getByRole('tab', { name: 'Schema' }).first().click();
    const bounds = block.locator('.json-schema-2020-12__constraint--number').first();
    expect(await bounds.innerText()).toBe(`[1, ${GREATEST}]`);
    const list = await docs.unfold('listPets');
    await list.getByPlaceholder('categoryId').fill(ODD);
    expect(await docs.send('listPets')).toMatch(/^200/);
    expect(await list.locator('.request-url').innerText()).toContain(`categoryId=${ODD}`);
    expect(await docs.shownBody('listPets')).toContain(`"categoryId": ${ODD}`);
  });

  it('fits a phone, also with a response open', async () => {
    await docs.page.setViewportSize(PHONE);
    expect(await docs.execute('listPets')).toMatch(/^200/);
    expect(await widthOfPage()).toBe(PHONE.width);
  });

  it('remembers the key in its tab, and in no other', async () => {
    await docs.page.reload();
    await docs.page.locator('.opblock').first().waitFor();
    expect(await docs.execute('listPets')).toMatch(/^200/);
    const other = await docs.browser.newPage();
    await other.goto(`${docs.running.service.origin}/docs/guide`);
    expect(await other.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    await other.close();
  });
});
