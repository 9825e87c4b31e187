import { expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { namesIn, ofPart, type Page, ShelterSite, SITE } from './shelter-site.js';

const site = await ShelterSite.serve();
const elsewhere = await site.add('Of another shelter', '2', { species: 'dog' });
await site.add('Max', '1', { species: 'dog', page: 'https://shelter.example/max' });
const nora = await site.add('Nora <b>', '1', {
  species: 'dog',
  breeds: ['Beagle'],
  mixedBreed: true,
  bornOn: '2020-02-29',
  coat: 'short',
  colors: ['black', 'white'],
  goodWith: { children: true, cats: false },
  vaccinated: true,
  description: 'Loves water.\nNeeds a garden.',
  adoptionFee: { amount: '120.00', currency: 'EUR' },
  photos: [1, 2, 3].map((n) => ({ url: `https://shelter.example/${n}.png`, description: `Photo ${n}` })),
});

const focusedIn = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.shadowRoot?.activeElement?.textContent ?? ""');

it('a card without a page opens everything about the animal, by the keyboard alone', async () => {
  const { page } = await site.open(site.element('category="1"'));
  expect(await namesIn(page)).toEqual(['Nora <b>', 'Max']);
  await page.getByRole('link', { name: 'Nora' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Nora <b>' });
  await dialog.waitFor();
  expect(await dialog.locator('[part=description]').innerText()).toBe('Loves water.\nNeeds a garden.');
  const terms = await dialog.locator('dt').allInnerTexts();
  const told = await dialog.locator('dd').allInnerTexts();
  expect(Object.fromEntries(terms.map((term, at) => [term, told[at]]))).toMatchObject({
    Species: 'dog',
    Breed: 'Beagle, mix',
    'Born on': 'February 29, 2020',
    Coat: 'short',
    Colours: 'black, white',
    'Good with': 'children: yes, cats: no',
    Vaccinated: 'yes',
    'Adoption fee': '€120.00',
    'Added on': expect.stringMatching(/^\w+ \d+, \d{4}$/),
  });
  expect(await dialog.getByRole('img').count()).toBe(3);
  expect(page.url()).toBe(`${SITE}/#adoptable-animal=${nora}`);
  // Photos by keys.
  await dialog.getByRole('group', { name: 'Photos' }).focus();
  await page.keyboard.press('ArrowRight');
  await until(async () => (await ofPart<number>(page, '[part=photos]', 'part.scrollLeft')) > 0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await focusedIn(page)).toContain('Nora');
  expect(page.url()).not.toContain('adoptable');
});

it('has an address that opens it, and Back closes it', async () => {
  const { page } = await site.open(site.element('category="1" details'), {
    hash: `#/animals&adoptable-animal=${nora}`,
  });
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(page.url()).toBe(`${SITE}/#/animals`);
  await page.goBack();
  await dialog.waitFor();
  await page.goForward();
  await dialog.waitFor({ state: 'hidden' });
  // A card with a page of its own, too.
  await page.getByRole('link', { name: 'Max' }).click();
  await dialog.getByRole('heading', { name: 'Max' }).waitFor();
  expect(await dialog.getByRole('link').getAttribute('href')).toBe('https://shelter.example/max');
});

it('an address shows no animal that the page does not', async () => {
  const { page } = await site.open(site.element('category="1"'), { hash: `#adoptable-animal=${elsewhere}` });
  await page.getByText('no longer available').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(page.url()).not.toContain('adoptable-animal');
});

it('leaves the address alone where the page wants it', async () => {
  const { page } = await site.open(site.element('category="1" address="none"'));
  await page.getByRole('button', { name: 'Nora' }).click();
  await page.getByRole('dialog').waitFor();
  expect(page.url()).toBe(`${SITE}/`);
});

it('moves nothing for people who want less of it', async () => {
  const { page } = await site.open(site.element('category="1"'), { reducedMotion: 'reduce' });
  await page.getByRole('link', { name: 'Nora' }).click();
  expect(await ofPart(page, '[part=photos]', 'getComputedStyle(part).scrollBehavior')).toBe('auto');
});

it('prints animals without controls', async () => {
  const { page } = await site.open(site.element('category="1" filters="size"'));
  expect(await page.getByRole('search').isVisible()).toBe(true);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('search').isVisible()).toBe(false);
  expect(await page.getByRole('listitem').count()).toBe(2);
});
