import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { ShelterSite, SITE } from './shelter-site.js';

/** What Safari 16 has not yet, which the element is for, too. */
const OLDER_BROWSER = 'delete URL.canParse; delete URLSearchParams.prototype.size;';

const site = await ShelterSite.serve();
const photos = [{ url: 'https://shelter.example/1.png', description: 'On the sofa' }];
await site.add('<b>Rex</b>', '9007199254740993', { species: 'dog', photos });
await site.add('Mia', '1');

/** Opens a page of the shelter's own, with a program that its policy lets load the module and ask the service. */
async function openPage(html: string) {
  const page = await site.newPage('');
  await page.addInitScript(OLDER_BROWSER);
  const service = site.running.service.origin;
  const policy = `default-src 'none'; script-src 'unsafe-inline' ${service}; connect-src ${service}; img-src https:`;
  await page.route(`${SITE}/`, (route) =>
    route.fulfill({
      headers: {
        'Content-Security-Policy': `${policy}; require-trusted-types-for 'script'; trusted-types 'none'`,
        'Content-Type': 'text/html; charset=utf-8',
      },
      body: `<!doctype html><title>A page of our own</title><body>${html}</body>`,
    }),
  );
  await page.goto(SITE);
  return page;
}

/** The program of the guide for a page, with this service and key. */
async function programOfGuide(): Promise<string> {
  const guide = await readFile(new URL('../../../../docs/guide/show-animals.md', import.meta.url), 'utf8');
  const programs = [...guide.matchAll(/```html\n([^]*?)```/g)].map(([, html = '']) => html);
  return (programs.find((html) => html.includes('/embed/v1/client.js')) ?? '')
    .replaceAll('https://api.example', site.running.service.origin)
    .replace('pet_pub_live_...', site.key);
}

describe('the client that a page imports from the service', () => {
  it('as in "Make a page of your own" shows names as text, and photos', async () => {
    const page = await openPage(await programOfGuide());
    await page.getByRole('img', { name: 'On the sofa' }).waitFor();
    expect(await page.getByRole('heading').allInnerTexts()).toEqual(['Mia', '<b>Rex</b>']);
    expect(site.said).toEqual([]);
  });
});
