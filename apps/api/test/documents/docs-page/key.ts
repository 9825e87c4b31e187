import { KeyUsageCounters } from '@petstore/persistence';
import { describe, expect, it } from '@jest/globals';
import { utcDay } from '@petstore/api-key';
import type { DocsPage } from './docs-page.js';
import { idOf, KeyPage, MARKUP, seedWebhook } from './key-page.js';
import { eachOnItsPage } from './pages.js';

const DAY_MS = 86_400_000;

/** An owner looks at a key. */
export function describeKeyPage(docs: DocsPage): void {
  describe('the key page', () => {
    eachOnItsPage(docs);

    it('shows what the key is, what is left, and its use by day', async () => {
      const { running, page } = docs;
      const expiresAt = new Date(Date.now() + 20 * DAY_MS);
      const key = await running.issueKey({ name: 'Shop', plan: 'free', scopes: ['pets:read'], expiresAt });
      const keyId = await idOf(docs, key);
      const day = (ago: number): string => utcDay(new Date(Date.now() - ago * DAY_MS));
      await new KeyUsageCounters(running.database).add(
        [2, 5].map((ago) => ({
          keyId,
          day: day(ago),
          requests: 1_000 * ago,
          refused: ago,
          lastUsedAt: undefined,
          bannedUntil: undefined,
        })),
      );
      const shown = await KeyPage.open(docs);
      await shown.enter(key);
      expect(await shown.textOf('.about')).toMatch(
        /free[^]*60 a minute, 1,000 a day[^]*Expires[^]*UTC[^]*pets:read/i,
      );
      expect(await shown.textOf('.about')).toContain(keyId.toString());
      // The first request asked for the id.
      expect(await shown.textOf('.limits')).toMatch(/58 of 60 in any minute[^]*998 of 1,000 in any day/);
      const rows = await page.locator('.use tr').allInnerTexts();
      for (const used of [`${day(2)}\t2,000\t2`, `${day(5)}\t5,000\t5`]) expect(rows).toContain(used);
      expect(await shown.textOf('.use')).toContain('7 of them refused');
      expect(await page.locator('.webhooks').count()).toBe(0);
    });

    it('sends one request for each look, and none by itself', async () => {
      const shown = await KeyPage.open(docs);
      await shown.enter(await docs.running.issueKey({ plan: 'free', scopes: ['pets:read'] }));
      expect(await shown.textOf('.limits')).toContain('59 of 60');
      expect(await shown.textOf('#price')).toBe('a refresh costs one request');
      await docs.page.getByRole('button', { name: 'Refresh' }).click();
      await docs.page.getByText('58 of 60').waitFor();
      expect(shown.requests).toHaveLength(2);
    });

    it('shows webhooks and deliveries, ids digit for digit', async () => {
      const { running, page } = docs;
      const key = await running.issueKey({ plan: 'free', name: MARKUP });
      const { id, failedDelivery, eventId } = await seedWebhook(docs, await idOf(docs, key));
      const shown = await KeyPage.open(docs);
      await shown.enter(key);
      const webhooks = await shown.textOf('.webhooks');
      expect(webhooks).toMatch(/https:\/\/shop\.example\/hook enabled[^]*for category\.updated/);
      expect(webhooks).toContain(`Id ${id},`);
      expect(webhooks).toContain(MARKUP);
      expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe(MARKUP);
      expect(await page.locator('#shown :is(img, script)').count()).toBe(0);
      await page.getByRole('button', { name: `Deliveries of ${id}` }).click();
      const table = page.getByRole('table', { name: `Last deliveries of ${id}` });
      await table.waitFor();
      const [newest, oldest] = await table.locator('tr:has(td)').allInnerTexts();
      expect(newest).toContain(
        `${failedDelivery}\t${eventId}\tcategory.updated\tfailed\t10\t503, http_status\t`,
      );
      expect(oldest).toContain('\t1\tcategory.updated\tdelivered\t1\t200\t');
      // One for the id, one for each of three looks.
      expect(await shown.textOf('.limits')).toContain('56 of 60');
      expect(await shown.textOf('#price')).toBe('a refresh costs two requests');
      expect(shown.requests.map((url) => new URL(url).pathname)).toEqual([
        '/v1/usage',
        '/v1/webhooks',
        `/v1/webhooks/${id}/deliveries`,
      ]);
    });

    it('says what is wrong with a key, and keeps none that is refused', async () => {
      const shown = await KeyPage.open(docs);
      await shown.submit('my password');
      expect(await shown.problem()).toMatch(/^This is not an API key: .* It was not sent\./);
      expect(shown.requests).toEqual([]);
      const wrong = `pet_test_${'x'.repeat(38)}`;
      await shown.submit(wrong);
      await docs.page.getByText('The service says').waitFor();
      expect(await shown.problem()).toMatch(/\(401 invalid_api_key, request [\w-]{8,}\)/);
      await shown.expectNoTraceOf(wrong);
      expect(await docs.page.locator('#pasted').isVisible()).toBe(true);
    });

    it('says of an exhausted key when it can be used again', async () => {
      const { running, page } = docs;
      const key = await running.issueKey({ plan: 'free', scopes: ['pets:read'] });
      const shown = await KeyPage.open(docs);
      await shown.enter(key);
      for (let n = 1; n < 60; n++) await idOf(docs, key);
      await page.getByRole('button', { name: 'Refresh' }).click();
      expect(await shown.problem()).toMatch(/Try again in \d+ seconds?\. \(429 rate_limit_exceeded/);
      expect(await shown.textOf('.limits')).toContain('0 of 60 in any minute');
      // What was shown stays, and the key does, for another try.
      expect(await shown.textOf('.about')).toContain('pets:read');
      expect(await page.getByRole('button', { name: 'Refresh' }).isEnabled()).toBe(true);
    });

    it('shows the windows of a key that was used up before, and says long times in hours', async () => {
      const { running, page } = docs;
      const key = await running.issueKey({ limits: { perMinute: 60, perDay: 1 } });
      await idOf(docs, key);
      const shown = await KeyPage.open(docs);
      await shown.submit(key);
      expect(await shown.problem()).toMatch(/Try again in 24 hours\. \(429 rate_limit_exceeded/);
      expect(await shown.textOf('.limits')).toMatch(/0 of 1 in any day\s*More in 24 hours\./);
      expect(await page.locator('.about').count()).toBe(0);
    });

    it.each([
      [
        { status: 403, json: { code: 'insufficient_scope', message: 'No.', status: 403 } },
        /^The service says: No\. \(403 insufficient_scope/,
      ],
      [
        { status: 502, body: '<html>Bad gateway</html>' },
        /^Something else responded in place of the service/,
      ],
      [{ status: 200, json: [] }, /^This page cannot show the response/],
      [undefined, /^The service cannot be reached/],
    ])('says what a response such as %j means', async (response, words) => {
      const { page, running } = docs;
      await page.route('**/v1/usage', (route) =>
        response === undefined ? route.abort() : route.fulfill(response),
      );
      const shown = await KeyPage.open(docs);
      await shown.submit(await running.issueKey());
      expect(await shown.problem()).toMatch(words);
      await page.unroute('**/v1/usage');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.locator('.about').waitFor();
      expect(await page.locator('.problem').count()).toBe(0);
    });

    it('fits a phone, also with deliveries', async () => {
      const { page, running } = docs;
      await page.setViewportSize({ width: 360, height: 740 });
      const shown = await KeyPage.open(docs);
      await shown.expectWidth(360);
      const key = await running.issueKey({ name: 'x'.repeat(100) });
      const { id } = await seedWebhook(docs, await idOf(docs, key));
      await shown.enter(key);
      await page.getByRole('button', { name: `Deliveries of ${id}` }).click();
      await page.getByRole('table', { name: `Last deliveries of ${id}` }).waitFor();
      await shown.expectWidth(360);
    });
  });
}
