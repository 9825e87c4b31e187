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

/** The programs for a page of a page of the guide, with this service and key. */
async function programsOf(name: string): Promise<string[]> {
  const guide = await readFile(new URL(`../../../../docs/guide/${name}`, import.meta.url), 'utf8');
  return [...guide.matchAll(/```html\n([^]*?)```/g)]
    .map(([, html = '']) => html)
    .filter((html) => html.includes('/embed/v1/client.js'))
    .map((html) =>
      html
        .replaceAll('https://api.example', site.running.service.origin)
        .replace('pet_pub_live_...', site.key),
    );
}

describe('the client that a page imports from the service', () => {
  it('as on the first page of the guide lists animals', async () => {
    const [program = ''] = await programsOf('first-call.md');
    const page = await openPage(program);
    await page.getByText('Mia, <b>Rex</b>').waitFor();
    expect(site.said).toEqual([]);
  });

  it('as in "Make a page of your own" shows names as text, and photos', async () => {
    const [program = ''] = await programsOf('show-animals.md');
    const page = await openPage(program);
    await page.getByRole('img', { name: 'On the sofa' }).waitFor();
    expect(await page.getByRole('heading').allInnerTexts()).toEqual(['Mia', '<b>Rex</b>']);
    expect(site.said).toEqual([]);
  });
});
