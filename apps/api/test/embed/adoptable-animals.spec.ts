import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { launchChromium } from '@petstore/test-servers';
import axe from 'axe-core';
import { Client } from '../support/client.js';
import { runService, type RunningService } from '../support/running-service.js';

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

jest.setTimeout(60_000);

const PATH = '/embed/v1/adoptable-animals.js';
/** Of the shelter's pages. Relative addresses of such a page are `https:`, too. */
const SITE = 'https://shelter.example';
const PHOTO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const MARKUP = '<img src=x onerror="document.title=1">';

let running: RunningService;
let browser: Browser;
let page: Page;
let html = '';
let key: string;
/** A key of another site. */
let foreignKey: string;
/** Where the element may ask, too: a service that responds as it is told. */
let elsewhere = '';
const said: string[] = [];

beforeAll(async () => {
  running = await runService();
  const settings = { name: 'pages', plan: 'business', origins: [SITE] } as const;
  key = (await running.administration.create(settings, 'tests')).secret;
  const foreign = { ...settings, origins: ['https://other.example'] };
  foreignKey = (await running.administration.create(foreign, 'tests')).secret;
  await addAnimals();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await running.close();
});
afterEach(async () => {
  await page.close();
});

async function addAnimals(): Promise<void> {
  const staff = await running.client();
  const add = async (name: string, categoryId: string, profile?: object): Promise<void> => {
    const body = `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}`;
    const { text } = await staff.post('/v1/pets', body);
    const { id } = JSON.parse(text) as { id: number };
    if (profile) await staff.post(`/v1/pets/${id}/profile`, profile, { method: 'PUT' });
  };
  const photos = [{ url: 'https://shelter.example/1.png', description: 'Rex on the sofa' }];
  const born = new Date();
  born.setUTCFullYear(born.getUTCFullYear() - 3, born.getUTCMonth() - 1, 1);
  const bornOn = born.toISOString().slice(0, 10);
  const page = 'https://shelter.example/animals/rex';
  await add('Rex', '1', {
    breeds: ['Labrador', 'Poodle'],
    species: 'dog',
    sex: 'male',
    size: 'large',
    bornOn,
    photos,
    page,
  });
  await add(MARKUP, '1', { species: 'cat', sex: 'female', ageGroup: 'senior', photos });
  await add('9007199254740993', '1');
  await add('Big', '9007199254740993');
  await Promise.all(Array.from({ length: 30 }, (_, n) => add(`Cat ${n}`, '2', { species: 'cat', photos })));
}

/** A new page, of the shelter's site once it is opened; every photo is there. */
async function newPage(options: Parameters<Browser['newPage']>[0] = {}): Promise<void> {
  page = await browser.newPage({ ...options, permissions: ['local-network-access'] });
  await page.route('https://**', (route) => route.fulfill({ contentType: 'image/png', body: PHOTO }));
  await page.route(`${SITE}/`, (route) => {
    const service = running.service.origin;
    const policy = `default-src 'none'; script-src ${service}; connect-src ${service} ${elsewhere}; img-src https:; style-src 'none'`;
    return route.fulfill({
      headers: {
        'Content-Security-Policy': `${policy}; require-trusted-types-for 'script'; trusted-types 'none'`,
        'Content-Type': 'text/html; charset=utf-8',
      },
      body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>A shelter</title><main><h1>Our animals</h1>${html}</main></html>`,
    });
  });
}

/** A service that responds to everything but preflights in this way. */
async function serveElsewhere(respond: (response: http.ServerResponse) => void): Promise<http.Server> {
  const service = http.createServer(({ method }, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', 'Authorization');
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
    if (method === 'OPTIONS') response.writeHead(204).end();
    else respond(response);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  elsewhere = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  return service;
}

const element = (
  attributes: string,
  own = '<a href="https://shelter.example/animals">Our animals</a>',
): string =>
  `<script type="module" src="${running.service.origin}${PATH}"></script>
   <adoptable-animals ${attributes}>${own}</adoptable-animals>`;

/** Opens a page with this in it, and gives what the element fires first. */
async function open(content: string, width = 1_000): Promise<{ type: string; detail: unknown }> {
  html = content;
  said.length = 0;
  await newPage({ viewport: { width, height: 800 } });
  page.on('console', (message) => void said.push(message.text()));
  page.on('pageerror', (error) => void said.push(error.message));
  await page.addInitScript(`
    window.fired = new Promise((resolve) => {
      for (const type of ['load', 'error'])
        document.addEventListener(type, ({ target, detail }) => {
          if (target.localName === 'adoptable-animals') resolve({ type, detail });
        }, true);
    });
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  await page.goto(SITE);
  return page.evaluate('window.fired');
}

const names = (): Promise<string[]> => page.locator('[part=name]').allInnerTexts();

describe('the script', () => {
  it('is small, may be loaded by every page, and is not sent again', async () => {
    const client = new Client(running.service.origin);
    page = await browser.newPage();
    const { status, headers, text } = await client.get(PATH);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      etag: expect.stringMatching(/^"/),
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12_000);
    expect(gzipSync(text).length).toBeLessThanOrEqual(5_000);
    const again = await client.get(PATH, { headers: { 'If-None-Match': headers.etag } });
    expect(again).toMatchObject({
      status: 304,
      headers: { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' },
    });
    client.close();
  });
});

describe('the element', () => {
  it('as in the guide shows cards in a page of another origin, and nothing is refused by its policy', async () => {
    const guide = await readFile(new URL('../../../../docs/guide/show-animals.md', import.meta.url), 'utf8');
    const [, example = ''] = /```html\n([^]*?)```/.exec(guide) ?? [];
    const fired = await open(
      example.replace('https://api.example', running.service.origin).replace('pet_pub_live_...', key),
    );
    expect(fired).toEqual({ type: 'load', detail: { count: 12 } });
    expect(said).toEqual([]);
    expect(await page.getByRole('listitem').count()).toBe(12);
    expect(await page.getByText('Our animals').last().isVisible()).toBe(false);
    const link = page.getByRole('listitem').first().getByRole('link');
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/shelter\.example\/animals\/\d+$/);
    expect(await link.getAttribute('rel')).toBe('noopener');
    expect(await page.evaluate('window.shift')).toBeLessThan(0.1);
  });

  it('says what an animal is like, in the language of the page, and shows markup as text', async () => {
    await open(element(`api-key="${key}" category="1" lang="de"`));
    expect(await names()).toEqual(['9007199254740993', MARKUP, 'Rex']);
    const facts = await page.locator('[part=facts]').allInnerTexts();
    expect(facts).toEqual([
      '',
      'cat · im Seniorenalter · weiblich',
      'Labrador / Poodle · 3 Jahre · männlich · groß',
    ]);
    // Neither a photo nor a page of its own makes something of the page that the element stands in.
    expect(await page.locator('[part=photo]').count()).toBe(2);
    expect(await page.getByRole('link').count()).toBe(1);
    const photo = page.locator('[part=photo]').last();
    expect(await photo.getAttribute('alt')).toBe('Rex on the sofa');
    expect(await photo.getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(await page.getByRole('link', { name: 'Rex' }).getAttribute('href')).toBe(
      'https://shelter.example/animals/rex',
    );
    expect(await page.title()).toBe('A shelter');
  });

  it('adds pages until there is none, and keeps the focus', async () => {
    await open(element(`api-key="${key}" category="2"`));
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

  it('keeps ids that JavaScript would round', async () => {
    const animal = `{"id":9223372036854775807,"name":"12345678901234567890","categoryId":1,"status":"available"}`;
    const service = await serveElsewhere((response) => void response.end(`[${animal}]`));
    await open(element(`api-key="${key}" service="${elsewhere}" link="https://shelter.example/{id}"`));
    expect(await page.getByRole('link').first().getAttribute('href')).toBe(
      'https://shelter.example/9223372036854775807',
    );
    expect(await names()).toEqual(['12345678901234567890']);
    service.close();
  });

  it('waits as long as it is told, once', async () => {
    let asked = 0;
    const service = await serveElsewhere((response) => {
      asked++;
      response.writeHead(429, { 'Retry-After': '1', 'X-Request-Id': `request-${asked}` });
      response.end('{"code":"rate_limit_exceeded","message":"Too many.","status":429}');
    });
    const fired = await open(element(`api-key="${key}" service="${elsewhere}"`));
    const detail = { code: 'rate_limit_exceeded', status: 429, requestId: 'request-2' };
    expect(fired).toEqual({ type: 'error', detail });
    expect(asked).toBe(2);
    service.close();
  });

  it.each([
    ['of another site', 403, 'origin_not_allowed', (): string => `api-key="${foreignKey}"`],
    ['that is unknown', 401, 'invalid_api_key', (): string => `api-key="pet_pub_test_${'a'.repeat(44)}"`],
  ])('with a key %s says why, and leaves what was there', async (_what, status, code, attributes) => {
    const fired = await open(element(attributes()));
    expect(fired).toEqual({
      type: 'error',
      detail: { code, status, requestId: expect.stringMatching(/^[\w-]{8,64}$/) },
    });
    expect(await page.getByRole('link', { name: 'Our animals' }).isVisible()).toBe(true);
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('says that nothing responds', async () => {
    elsewhere = 'http://127.0.0.1:9';
    expect(await open(element(`api-key="${key}" service="${elsewhere}"`))).toEqual({
      type: 'error',
      detail: { code: 'network_error', status: 0, requestId: '' },
    });
  });

  it('with no animal says so, and leaves what was there', async () => {
    expect(await open(element(`api-key="${key}" category="3"`))).toEqual({
      type: 'load',
      detail: { count: 0 },
    });
    expect(await page.getByRole('status').innerText()).toBe('There are no animals at the moment.');
    expect(await page.getByRole('link', { name: 'Our animals' }).isVisible()).toBe(true);
  });

  it.each([
    ['api-key', 'api-key="pet_test_secret"'],
    ['api-key', ''],
    ...[
      'category="dogs"',
      'limit="0"',
      'limit="101"',
      'status="all"',
      'link="javascript:alert(1)"',
      'lang="xx"',
    ].map((attribute) => [attribute.split('=')[0] ?? '', `${attribute} `]),
    ['link', 'link="http://shelter.example/{id}"'],
    ['link', 'link=""'],
    ['category', 'category="9223372036854775808"'],
    ['service', 'service="ftp://api.example"'],
  ])('tells in the console that %s is wrong (%s), and asks for nothing', async (name, attributes) => {
    const requests: string[] = [];
    html = element(
      attributes.startsWith('api-key') || attributes === '' ? attributes : `api-key="${key}" ${attributes}`,
    );
    said.length = 0;
    await newPage();
    page.on('request', (request) => void requests.push(request.url()));
    const told = page.waitForEvent('console');
    await page.goto(SITE);
    expect((await told).text()).toContain(`the attribute ${name} has to be`);
    expect(requests.filter((url) => url.includes('/v1/pets'))).toEqual([]);
    expect(await page.getByRole('link', { name: 'Our animals' }).isVisible()).toBe(true);
  });

  it('loads again when an attribute changes', async () => {
    await open(element(`api-key="${key}" category="3"`));
    await page.evaluate('document.querySelector("adoptable-animals").setAttribute("category", "1")');
    await page.getByRole('listitem').nth(2).waitFor();
    expect(await page.getByRole('link', { name: 'Our animals' }).count()).toBe(0);
  });

  it('is usable on a phone and by everybody', async () => {
    await open(element(`api-key="${key}" link="https://shelter.example/{id}"`), 320);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    // The policy lets no script of the page's own in.
    await page.close();
    await newPage({ bypassCSP: true });
    await page.goto(SITE);
    await page.getByRole('listitem').first().waitFor();
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run()');
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});
