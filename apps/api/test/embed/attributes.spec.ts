import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { until } from '../support/until.js';
import { ShelterSite, SITE } from './shelter-site.js';

const site = await ShelterSite.serve();
for (const name of ['Rex', 'Max', 'Nora']) await site.add(name, '1');

describe('attributes', () => {
  it('tell in the console that they are wrong, and nothing is asked for', async () => {
    const wrong = [
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
    ];
    const ofKey = ['api-key="pet_test_secret"', ''].map((attribute) =>
      site.element('').replace(/api-key="[^"]*"/, attribute),
    );
    const page = await site.newPage([...ofKey, ...wrong.map((each) => site.element(each))].join(''));
    await page.goto(SITE);
    const names = ['api-key', 'api-key', ...wrong.map((each) => each.split('=')[0])];
    await until(() => site.said.length >= names.length);
    const told = site.said.map((text) => /the attribute ([\w-]+) has to be/.exec(text)?.[1]);
    expect(told.sort()).toEqual(names.sort());
    expect(site.asked).toEqual([]);
    const links = page.getByRole('link', { name: 'Our animals' });
    expect(await links.count()).toBe(names.length);
    expect(await links.last().isVisible()).toBe(true);
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
