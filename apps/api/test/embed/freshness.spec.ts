import { expect, it, jest } from '@jest/globals';
import { until } from '../support/until.js';
import { type Page, ShelterSite, showsNames, SITE } from './shelter-site.js';

jest.setTimeout(120_000);

const site = await ShelterSite.serve();

/** By so much the clock of a page is set forward when it is stopped. */
const PAUSED_WITHIN_MS = 5_000;

/** Opens what a page has, once its animals are there. From then on its clock stands still, but for what the test moves it. */
async function goWithClock(page: Page): Promise<Page> {
  await page.clock.install();
  await page.goto(SITE);
  await page.evaluate('window.fired');
  // Later than by the clock as it still runs, however busy the machine is.
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + PAUSED_WITHIN_MS);
  return page;
}
const openWithClock = async (attributes: string): Promise<Page> =>
  goWithClock(await site.newPage(site.element(attributes)));
const later = (page: Page, seconds: number): Promise<void> => page.clock.runFor(seconds * 1_000);
const isGone = (page: Page): Promise<void> => page.getByText('no longer available').first().waitFor();
/** Waits until so many requests for what is shown were made, and the page has seen their responses. */
async function asks(page: Page, count: number): Promise<void> {
  const countIn = (urls: readonly string[]): number => urls.filter((url) => url.includes('ids=')).length;
  const made = (): number => countIn(site.asked.map(({ url }) => url));
  await until(() => made() >= count && countIn(site.answered) >= count);
  // Whatever the clock of the page says.
  await page.evaluate(`new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  })`);
  expect(made()).toBe(count);
}

it('two open pages see a reservation within their time, in the dialog as well', async () => {
  const id = await site.add('Rex', '1');
  await site.add('Max', '1');
  const [first, second] = await Promise.all([
    openWithClock('category="1" refresh="15"'),
    openWithClock('category="1" refresh="15"'),
  ]);
  await second.getByRole('link', { name: 'Rex' }).click();
  await second.getByRole('dialog').waitFor();
  await site.change(id, { status: 'pending' });
  for (const page of [first, second]) {
    await later(page, 16);
    await isGone(page);
    // It stays until the next load, so that nothing moves under a reader's eyes.
    await showsNames(page, ['Max', 'Rex']);
  }
  expect(await second.locator('[part=notice]').innerText()).toBe('no longer available');
});

it('what has changed is changed in place, and the focus stays', async () => {
  const id = await site.add('Nora', '2', { species: 'dog' });
  const page = await openWithClock('category="2" refresh="15"');
  await page.getByRole('link', { name: 'Nora' }).focus();
  await site.change(id, { name: 'Nora the second' });
  await later(page, 16);
  await page.getByText('Nora the second').first().waitFor();
  const focused = await page.evaluate('document.activeElement.shadowRoot.activeElement.textContent');
  expect(focused).toContain('Nora the second');
});

it('an idle page asks less and less often, without a body in return, and at once when it is touched', async () => {
  await site.add('Idle', '3');
  const page = await openWithClock('category="3" refresh="60"');
  const responses: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('ids=')) responses.push(response.status());
  });
  // Five minutes, once a minute.
  for (let n = 1; n <= 5; n++) {
    await later(page, 60);
    await asks(page, n);
  }
  // Then after 2, 4, 8 and 10 minutes, and 10 again.
  let count = 5;
  for (const minutes of [1, 2, 4, 8, 10, 10]) {
    await later(page, minutes * 60 - 10);
    await asks(page, count);
    await later(page, 10);
    await asks(page, ++count);
  }
  await page.keyboard.press('Shift');
  await later(page, 60);
  await asks(page, count + 1);
  expect(responses[0]).toBe(200);
  expect(new Set(responses.slice(1))).toEqual(new Set([304]));
  expect(site.asked.at(-1)?.headers).toHaveProperty('if-none-match');
});

it('a hidden page asks nothing, and one that is shown again at once, but not sooner than after 15 s', async () => {
  await site.add('Hidden', '4');
  const page = await openWithClock('category="4" refresh="60"');
  const show = (isShown: boolean): Promise<void> =>
    page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, value: ${!isShown} });
      document.dispatchEvent(new Event('visibilitychange'));
    `);
  await show(false);
  await later(page, 600);
  await asks(page, 0);
  await show(true);
  await later(page, 0);
  await asks(page, 1);
  await show(false);
  await show(true);
  await later(page, 14);
  await asks(page, 1);
  await later(page, 2);
  await asks(page, 2);
});

it('a failed request is silent, and the next one is made', async () => {
  await site.add('Offline', '5');
  const page = await openWithClock('category="5" refresh="15"');
  await page.context().setOffline(true);
  await later(page, 16);
  await asks(page, 1);
  await page.context().setOffline(false);
  await later(page, 16);
  await asks(page, 2);
  const firings: { type: string }[] = await page.evaluate('window.firings');
  expect(firings.map(({ type }) => type)).toEqual(['load']);
  await showsNames(page, ['Offline']);
});

it('asks nothing while little is left of the plan, and never with refresh="0"', async () => {
  await site.add('Spared', '6');
  const never = await openWithClock('category="6" refresh="0"');
  await later(never, 3_600);
  await asks(never, 0);
  const page = await site.newPage(site.element('category="6" refresh="15"'));
  await page.route('**/v1/pets?*', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), ratelimit: '"minute";r=29;t=60, "day";r=9000;t=86400' };
    await route.fulfill({
      response,
      headers: { ...headers, 'ratelimit-policy': '"minute";q=300;w=60, "day";q=10000;w=86400' },
    });
  });
  await goWithClock(page);
  // Some seconds of the minute may be over.
  await later(page, 50);
  await asks(page, 0);
  await later(page, 11);
  await asks(page, 1);
});

it('two elements and twenty minutes of looking around take less than a third of a visitor’s share of minute and day', async () => {
  const minutes = 20;
  const sizes = ['small', 'medium', 'large', 'xlarge'];
  for (let n = 0; n < 40; n++) await site.add(`Animal ${n}`, '7', { size: sizes[n % sizes.length] });
  const page = await site.newPage(
    site.element('id="first" category="7" filters="size"') + site.element('id="second" category="7"'),
  );
  // The page's clock moves, that of the service does not: a key without a share stands in for the visitor's.
  const Authorization = `Bearer ${await site.running.issueKey()}`;
  await page.route('**/v1/pets?*', async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), Authorization } });
    await route.fulfill({ response, headers: { ...response.headers(), 'Access-Control-Allow-Origin': '*' } });
  });
  await page.clock.install();
  await page.goto(SITE);
  const [first, second] = [page.locator('#first'), page.locator('#second')];
  const more = second.getByRole('button', { name: 'Show more' });
  const answered = (): Promise<unknown> => until(() => site.answered.length >= site.asked.length);
  let busiest = 0;
  for (let minute = 0; minute < minutes; minute++) {
    const before = site.asked.length;
    await first.getByLabel('Size').selectOption(sizes[minute % sizes.length] ?? '');
    if (await more.isVisible()) await more.click();
    await second.getByRole('link', { name: 'Animal' }).first().click();
    await page.keyboard.press('Escape');
    await later(page, 60);
    await answered();
    busiest = Math.max(busiest, site.asked.length - before);
  }
  expect(busiest).toBeLessThanOrEqual(60 / 3);
  // As much again and again for an hour.
  expect(site.asked.length * (60 / minutes)).toBeLessThanOrEqual(1_000 / 3);
  // It did look around, and asked what is new.
  expect(site.asked.filter(({ url }) => url.includes('ids=')).length).toBeGreaterThan(minutes);
  expect(site.asked.filter(({ url }) => url.includes('size='))).toHaveLength(minutes);
});
