import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { ShelterSite, SITE } from './shelter-site.js';

const site = await ShelterSite.serve();
for (const name of ['Rex', 'Max', 'Nora']) await site.add(name, '1');

describe('attributes', () => {
  it.each([
    ['api-key', 'api-key="pet_test_secret"'],
    ['api-key', ''],
    ...[
      'category="dogs"',
      'category="9223372036854775808"',
      'limit="0"',
      'limit="101"',
      'status="all"',
      'link="javascript:alert(1)"',
      'link="http://shelter.example/{id}"',
      'link=""',
      'service="ftp://api.example"',
      'refresh="14"',
      'refresh="3601"',
      'address="hash"',
      'filters="color"',
      'filters="species"',
      'species-choices="dog"',
      'size="huge"',
      'size="small,small"',
      'size="small,"',
      'age-group=""',
      'good-with="birds"',
      'species=" "',
      'text="…"',
      `name="${'x '.repeat(11)}"`,
    ].map((attribute) => [attribute.split('=')[0] ?? '', attribute]),
  ])('tell in the console that %s is wrong (%s), and nothing is asked for', async (name, attribute) => {
    const html =
      name === 'api-key' ? site.element('').replace(/api-key="[^"]*"/, attribute) : site.element(attribute);
    const page = await site.newPage(html);
    const told = page.waitForEvent('console', (message) => message.type() === 'error');
    await page.goto(SITE);
    expect((await told).text()).toContain(`the attribute ${name} has to be`);
    expect(site.asked).toEqual([]);
    expect(await page.getByRole('link', { name: 'Our animals' }).isVisible()).toBe(true);
  });

  it('that nobody knows are told once, and hide nothing', async () => {
    const others =
      'class="x" data-v="1" aria-label="Animals" ng-version="20" _ngcontent-a="" v-on="x" @click="x"';
    const { page, fired } = await site.open(site.element(`category="1" specis="dog" ${others}`));
    expect(fired).toEqual({ type: 'load', detail: { count: 3 } });
    expect(await page.getByRole('listitem').count()).toBe(3);
    expect(site.said).toEqual([expect.stringContaining('does not know specis. It knows api-key')]);
  });

  it('are declared for TypeScript', async () => {
    const declared = await readFile(
      new URL('../../../../libs/client/src/adoptable-animals.ts', import.meta.url),
      'utf8',
    );
    const [, members = ''] = /interface AdoptableAnimalsAttributes \{([^}]*)\}/.exec(declared) ?? [];
    const { page } = await site.open(site.element('category="1"'));
    const observed = await page.evaluate<string[]>(
      "customElements.get('adoptable-animals').observedAttributes",
    );
    expect(observed.filter((name) => !new RegExp(`^ +'?${name}'?\\??:`, 'm').test(members))).toEqual([]);
  });

  it('may lead to the machine that a page is tried out on', async () => {
    const { page } = await site.open(site.element('category="1" link="http://localhost:8080/{id}"'));
    expect(await page.getByRole('link').first().getAttribute('href')).toMatch(
      /^http:\/\/localhost:8080\/\d+$/,
    );
  });
});
