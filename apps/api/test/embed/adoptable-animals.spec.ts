import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import axe from 'axe-core';
import { namesIn, ofPart, PATH, ShelterSite, SITE } from './shelter-site.js';

const MARKUP = '<img src=x onerror="document.title=1">';

const site = await ShelterSite.serve();

/** A key of another site. */
const { secret: foreignKey } = await site.running.administration.create(
  { name: 'others', plan: 'business', origins: ['https://other.example'] },
  'tests',
);

beforeAll(async () => {
  const photos = [{ url: 'https://shelter.example/1.png', description: 'Rex on the sofa' }];
  const born = new Date();
  born.setUTCFullYear(born.getUTCFullYear() - 3, born.getUTCMonth() - 1, 1);
  const bornOn = born.toISOString().slice(0, 10);
  const rex = { breeds: ['Labrador', 'Poodle'], species: 'dog', sex: 'male', size: 'large', bornOn, photos };
  await site.add('Rex', '1', { ...rex, page: 'https://shelter.example/animals/rex' });
  await site.add(MARKUP, '1', { species: 'cat', sex: 'female', ageGroup: 'senior', photos });
  await site.add('9007199254740993', '1');
  await site.add('Big', '9007199254740993');
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => site.add(`Cat ${n}`, '2', { species: 'cat', photos })),
  );
});

describe.each([
  { path: PATH, sent: 24_000, compressed: 9_000 },
  { path: '/embed/v1/client.js', sent: 24_000, compressed: 7_000 },
])('the script $path', ({ path, sent, compressed }) => {
  it('is small, may be loaded by every page, and is not sent again', async () => {
    const client = site.running.connect();
    const { status, headers, text } = await client.get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      etag: expect.any(String),
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    // One file.
    expect(text).not.toMatch(/\bimport\s*["'{(*]/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(sent);
    // As browsers ask for it.
    const asked = { headers: { 'Accept-Encoding': 'gzip, deflate, br, zstd' } };
    const toBrowsers = await fetch(`${site.running.service.origin}${path}`, asked);
    expect(toBrowsers.headers.get('Content-Encoding')).toBe('br');
    expect(Number(toBrowsers.headers.get('Content-Length'))).toBeLessThanOrEqual(compressed);
    expect(await toBrowsers.text()).toBe(text);
    const again = await client.get(path, { headers: { 'If-None-Match': headers.etag } });
    expect(again).toMatchObject({
      status: 304,
      headers: { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' },
    });
  });
});

describe('the element', () => {
  it('as in the guide shows cards in a page of another origin, and nothing is refused by its policy', async () => {
    const guide = await readFile(new URL('../../../../docs/guide/show-animals.md', import.meta.url), 'utf8');
    const [, example = ''] = /```html\n([^]*?)```/.exec(guide) ?? [];
    const { page, fired } = await site.open(
      example
        .replace('https://api.example', site.running.service.origin)
        .replace('pet_pub_live_...', site.key),
    );
    expect(fired).toEqual({ type: 'load', detail: { count: 12 } });
    // The page's own style is refused here, nothing of the element.
    expect(site.said.filter((text) => !text.includes("'style-src 'none''"))).toEqual([]);
    expect(await page.getByRole('listitem').count()).toBe(12);
    expect(await page.getByText('Ask us').isVisible()).toBe(false);
    expect(await page.evaluate('window.shift')).toBeLessThan(0.1);
  });

  it('says what an animal is like, in the language of the page, and shows markup as text', async () => {
    const { page } = await site.open(site.element('category="1" lang="de-AT"'));
    expect(await namesIn(page)).toEqual(['9007199254740993', MARKUP, 'Rex']);
    expect(await page.locator('[part=facts]').allInnerTexts()).toEqual([
      '',
      'cat · im Seniorenalter · weiblich',
      'dog · Labrador / Poodle · 3 Jahre · männlich · groß',
    ]);
    // What has no photo gets none of the page that the element stands in.
    expect(await page.locator('[part=photo]').count()).toBe(2);
    const photo = page.locator('[part=photo]').last();
    expect(await photo.getAttribute('alt')).toBe('Rex on the sofa');
    expect(await photo.getAttribute('referrerpolicy')).toBe('no-referrer');
    const link = page.getByRole('link').last();
    expect(await link.getAttribute('href')).toBe('https://shelter.example/animals/rex');
    expect(await link.getAttribute('rel')).toBe('noopener');
    expect(await page.title()).toBe('A shelter');
  });

  it('takes the language of the page, and English for one that it does not know', async () => {
    for (const [lang, word] of [
      ['fr-CH', 'Afficher plus'],
      ['pt-BR', 'Show more'],
    ] as const) {
      const { page } = await site.open(site.element(`category="2" lang="${lang}"`));
      expect(await page.getByRole('button', { name: word }).count()).toBe(1);
    }
  });

  it('adds pages until there is none, and keeps the focus', async () => {
    const { page } = await site.open(site.element('category="2" link="/animals/{id}"'));
    const more = page.getByRole('button', { name: 'Show more' });
    for (const count of [24, 30]) {
      await more.press('Enter');
      await page
        .getByRole('listitem')
        .nth(count - 1)
        .waitFor();
    }
    expect(await page.getByRole('listitem').count()).toBe(30);
    expect(await more.count()).toBe(0);
    const focused = await page.evaluate(
      'document.activeElement.localName + " " + document.activeElement.shadowRoot.activeElement.textContent',
    );
    expect(focused).toMatch(/^adoptable-animals Cat 5/);
  });

  it('begins anew when an attribute changes, and asks for no page behind a cursor of before', async () => {
    const { page } = await site.open(site.element('category="2"'));
    await page.evaluate(`
      const element = document.querySelector('adoptable-animals');
      element.setAttribute('category', '1');
      element.shadowRoot.querySelector('[part=more]').click();
    `);
    await page.getByRole('listitem').nth(3).waitFor({ state: 'detached' });
    expect(await namesIn(page)).toEqual(['9007199254740993', MARKUP, 'Rex']);
    const last = new URL(site.asked.at(-1)?.url ?? '');
    expect([last.searchParams.get('categoryId'), last.searchParams.get('cursor')]).toEqual(['1', null]);
  });

  it('finds the service by the address of the script, whatever is behind it', async () => {
    const html = site.element('category="1"').replace('.js"', '.js?ver=2026/11/28"');
    expect((await site.open(html)).fired).toEqual({ type: 'load', detail: { count: 3 } });
  });

  it('keeps ids that JavaScript would round', async () => {
    const animal = `{"id":9223372036854775807,"name":"12345678901234567890","categoryId":1,"status":"available"}`;
    const service = await site.serveElsewhere((response) => void response.end(`[${animal}]`));
    const { page } = await site.open(
      site.element(`service="${site.elsewhere}" link="https://shelter.example/{id}"`),
    );
    const link = page.getByRole('link').first();
    expect(await link.getAttribute('href')).toBe('https://shelter.example/9223372036854775807');
    expect(await namesIn(page)).toEqual(['12345678901234567890']);
    service.close();
  });

  it('says on a card that an animal is reserved', async () => {
    const id = await site.add('Held', '4');
    await site.change(id, { status: 'pending' });
    const { page } = await site.open(site.element('category="4" status="pending"'));
    expect(await page.locator('[part=status]').innerText()).toBe('reserved');
  });

  it('lets names run from right to left', async () => {
    await site.add('כלב', '5', { species: 'כלב' });
    const { page } = await site.open(site.element('category="5"'));
    for (const part of ['name', 'facts'])
      expect(await ofPart(page, `[part=${part}]`, 'getComputedStyle(part).direction')).toBe('rtl');
  });
});

describe('what fails', () => {
  it('waits as long as it is told, once, says so meanwhile, and makes one request of several clicks', async () => {
    let asked = 0;
    const service = await site.serveElsewhere((response) => {
      asked++;
      response.writeHead(429, { 'Retry-After': '2', 'X-Request-Id': `request-${asked}` });
      response.end('{"code":"rate_limit_exceeded","message":"Too many.","status":429}');
    });
    const page = await site.newPage(site.element(`service="${site.elsewhere}"`));
    await page.goto(SITE);
    await page.getByText('One moment, please …').waitFor();
    expect(await page.evaluate('window.fired')).toEqual({
      type: 'error',
      detail: { code: 'rate_limit_exceeded', status: 429, requestId: 'request-2' },
    });
    expect(asked).toBe(2);
    service.close();
  });

  it('asks once for a page, however often somebody clicks', async () => {
    const { page } = await site.open(site.element('category="2"'));
    await page.evaluate(`
      const more = document.querySelector('adoptable-animals').shadowRoot.querySelector('[part=more]');
      for (let n = 0; n < 5; n++) more.click();
    `);
    await page.getByRole('listitem').nth(23).waitFor();
    expect(site.asked.filter(({ url }) => url.includes('cursor='))).toHaveLength(1);
  });

  it.each([
    ['of another site', 403, 'origin_not_allowed', (): string => foreignKey],
    ['that is unknown', 401, 'invalid_api_key', (): string => `pet_pub_test_${'a'.repeat(44)}`],
  ])('with a key %s it says why, and leaves what was there', async (_what, status, code, key) => {
    const { page, fired } = await site.open(site.element('').replace(site.key, key()));
    expect(fired).toEqual({
      type: 'error',
      detail: { code, status, requestId: expect.stringMatching(/^[\w-]{8,64}$/) },
    });
    expect(site.said.join('\n')).toContain(`<adoptable-animals>: ${code} (${status}) `);
    expect(await page.getByRole('link', { name: 'Our animals' }).isVisible()).toBe(true);
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('says of a response that is no JSON that it is none, however it was made', async () => {
    const service = await site.serveElsewhere((response) => void response.end(`"${'\\"'.repeat(200_000)}`));
    const { fired } = await site.open(site.element(`service="${site.elsewhere}"`));
    const detail = { code: 'invalid_response', status: 200, requestId: '' };
    expect(fired).toEqual({ type: 'error', detail });
    service.close();
  });

  it('says that nothing responds', async () => {
    site.elsewhere = 'http://127.0.0.1:9';
    expect((await site.open(site.element(`service="${site.elsewhere}"`))).fired).toEqual({
      type: 'error',
      detail: { code: 'network_error', status: 0, requestId: '' },
    });
  });

  it('with no animal says so, and leaves what was there', async () => {
    const { page, fired } = await site.open(site.element('category="3"'));
    expect(fired).toEqual({ type: 'load', detail: { count: 0 } });
    expect(await page.getByRole('status').innerText()).toBe('No animals were found.');
    expect(await page.getByRole('link', { name: 'Our animals' }).isVisible()).toBe(true);
  });
});

describe('a page for everybody', () => {
  it('is usable on a phone', async () => {
    const { page } = await site.open(site.element('filters="size text"'), { width: 320 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  it('keeps columns wide where a page makes rem small, and at 200 % of zoom', async () => {
    const { page } = await site.open(site.element('category="2" link="/{id}"'));
    // As a page's own style sheet would.
    await page.evaluate("document.documentElement.style.setProperty('font-size', '62.5%')");
    await page.evaluate("document.body.style.setProperty('font-size', '16px')");
    expect(await ofPart<number>(page, 'li', 'part.offsetWidth')).toBeGreaterThanOrEqual(224);
    await page.evaluate("document.documentElement.style.setProperty('zoom', '2')");
    expect(
      await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    ).toBe(true);
  });

  it('has nothing that a checker finds', async () => {
    // The policy lets no script of the page's own in.
    const page = await site.newPage(site.element('filters="size sex good-with text" details'), {
      bypassCSP: true,
    });
    await page.goto(SITE);
    await page.getByRole('listitem').first().waitFor();
    await page.evaluate(axe.source);
    const violations = async (): Promise<string[]> =>
      (await page.evaluate<{ violations: { id: string }[] }>('axe.run()')).violations.map(({ id }) => id);
    expect(await violations()).toEqual([]);
    await page.getByRole('link', { name: /Cat/ }).first().click();
    await page.getByRole('dialog').waitFor();
    expect(await violations()).toEqual([]);
  });
});
