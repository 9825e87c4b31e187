import { expect, it } from '@jest/globals';
import { PetProfile } from '@petstore/pet-domain';
import { type Page, ShelterSite, showsNames, SITE } from './shelter-site.js';

const site = await ShelterSite.serve();
for (const [name, profile] of [
  ['Kitten', { species: 'cat', ageGroup: 'baby', size: 'small', sex: 'female', description: 'Shy, still.' }],
  ['Old cat', { species: 'cat', ageGroup: 'senior', size: 'small', sex: 'male', goodWith: { cats: true } }],
  [
    'Big dog',
    { species: 'dog', breeds: ['Labrador'], size: 'large', sex: 'male', description: 'Loves water.' },
  ],
  ['Small dog', { species: 'dog', size: 'small', goodWith: { children: true, dogs: true } }],
] as const)
  await site.add(name, '1', profile);

const FORM = 'filters="species age-group size sex good-with text" species-choices="dog=Hunde,cat=Katzen"';
const said = (page: Page): Promise<string> => page.locator('[part=message]').innerText();

it.each([
  ['species="cat"', ['Old cat', 'Kitten']],
  ['breed="labrador"', ['Big dog']],
  ['sex="male"', ['Big dog', 'Old cat']],
  ['age-group="baby,young"', ['Kitten']],
  ['size="small, medium" species="dog"', ['Small dog']],
  ['good-with="dogs,children"', ['Small dog']],
  ['text="WAT"', ['Big dog']],
  ['name="dog big"', ['Big dog']],
])('attributes fix what is shown: %s', async (attributes, names) => {
  const { page } = await site.open(site.element(attributes));
  await showsNames(page, names);
});

it('a form narrows it, says how many there are, keeps the focus, and stands in the address', async () => {
  const { page } = await site.open(site.element(`${FORM} lang="de"`));
  const form = page.getByRole('search', { name: 'Ein Tier finden' });
  expect(await said(page)).toBe('4 Tiere');
  await form.getByLabel('Tierart').focus();
  await form.getByLabel('Tierart').selectOption({ label: 'Katzen' });
  await showsNames(page, ['Old cat', 'Kitten']);
  expect(await said(page)).toBe('2 Tiere');
  expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.name')).toBe('species');
  await form.getByLabel('Geschlecht').selectOption('male');
  await showsNames(page, ['Old cat']);
  await form.getByRole('checkbox', { name: 'Katzen' }).check();
  await showsNames(page, ['Old cat']);
  expect(page.url()).toBe(`${SITE}/#adoptable-species=cat&adoptable-sex=male&adoptable-good-with=cats`);
  await form.getByRole('checkbox', { name: 'Kindern' }).check();
  await page.getByText('Es wurden keine Tiere gefunden.').waitFor();
  for (const names of [['Old cat'], ['Old cat'], ['Old cat', 'Kitten']]) {
    await page.goBack();
    await showsNames(page, names);
  }
  // The form says what is shown.
  expect(await form.getByLabel('Geschlecht').inputValue()).toBe('');
  expect(await form.getByLabel('Tierart').inputValue()).toBe('cat');
});

it('words are looked for once they are typed', async () => {
  const { page } = await site.open(site.element(FORM));
  await page.getByRole('searchbox').fill('water, LOVE');
  await page.keyboard.press('Enter');
  await showsNames(page, ['Big dog']);
  expect(decodeURIComponent(page.url())).toBe(`${SITE}/#adoptable-text=water, LOVE`);
});

it('an address that was sent shows the same, but nothing that the page does not', async () => {
  const hash = '#adoptable-size=small&adoptable-species=cat&adoptable-sex=huge&other=1';
  const { page } = await site.open(site.element(FORM), { hash });
  await showsNames(page, ['Old cat', 'Kitten']);
  const fixed = await site.open(site.element(`${FORM} species="dog"`), { hash });
  await showsNames(fixed.page, ['Small dog']);
  expect(await fixed.page.getByLabel('Species').count()).toBe(0);
});

it('two elements and a program of the page do not disturb each other', async () => {
  const html = `${site.element(FORM.replace('species ', '')).replace('<adoptable-animals', '<adoptable-animals id="a"')}
    ${site.element('filters="size" species="cat"').replace('<adoptable-animals', '<adoptable-animals id="b"')}`;
  const { page } = await site.open(html, { hash: '#/router?x=1' });
  const [first, second] = [page.locator('#a'), page.locator('#b')];
  await second.getByRole('listitem').nth(1).waitFor();
  await first.getByLabel('Size').selectOption('large');
  await first.getByText('Big dog').waitFor();
  await second.getByLabel('Size').selectOption('small');
  expect(page.url()).toBe(`${SITE}/#/router?x=1&a-size=large&b-size=small`);
  await first.getByRole('listitem').nth(1).waitFor({ state: 'detached' });
  expect(await second.getByRole('listitem').count()).toBe(2);
});

it('offers the values that a profile may have', async () => {
  const { page } = await site.open(site.element(FORM));
  const offered = (name: string): Promise<string[]> =>
    page.evaluate(`[...document.querySelector('adoptable-animals').shadowRoot
      .querySelectorAll('select[name=${name}] option:not([value=""]), input[name=${name}]')].map(({ value }) => value)`);
  const { ageGroup, size, sex } = PetProfile.FIELDS;
  for (const [name, values] of Object.entries({ 'age-group': ageGroup.ALL, size: size.ALL, sex: sex.ALL }))
    expect([name, await offered(name)]).toEqual([name, values]);
  expect(await offered('good-with')).toEqual(PetProfile.COMPANIONS.ALL);
});

it('says when there may be more', async () => {
  const { page } = await site.open(site.element(`${FORM} limit="2"`));
  expect(await said(page)).toBe('2 animals or more');
});
