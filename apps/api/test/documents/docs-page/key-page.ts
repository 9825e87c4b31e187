import { expect } from '@jest/globals';
import { Client as PgClient } from 'pg';
import { KeyId } from '@petstore/api-key';
import type { DocsPage } from './docs-page.js';

/** What is nowhere but in the API's responses: text that would be markup in HTML. */
export const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script> & "Rex"';

/** Odd numbers beyond what JavaScript's numbers hold: they would be shown as even ones. */
const FIRST_ODD = 9_007_199_254_740_993n;

/** Ids that were given away; each is used once in a database. */
let given = 0n;

const nextId = (): string => String(FIRST_ODD + 2n * given++);

/** The key page in the browser, and what it requests of the API. */
export class KeyPage {
  /** URLs, without those of the docs. */
  readonly requests: string[] = [];
  private readonly requested: string[] = [];

  constructor(private readonly docs: DocsPage) {
    docs.page.on('request', (request) => {
      this.requested.push(request.url());
      if (request.url().includes('/v1/')) this.requests.push(request.url());
    });
  }

  static async open(docs: DocsPage): Promise<KeyPage> {
    const opened = new KeyPage(docs);
    await docs.page.goto(`${docs.running.service.origin}/docs/key`);
    await docs.page.getByLabel('API key').waitFor();
    return opened;
  }

  /** Pastes a key and asks for what there is to show. */
  async submit(key: string): Promise<void> {
    await this.docs.page.getByLabel('API key').fill(key);
    await this.docs.page.getByRole('button', { name: 'Show', exact: true }).click();
  }

  /** The same, and waits until all of it is shown. */
  async enter(key: string): Promise<void> {
    await this.submit(key);
    await this.docs.page.getByText(/^As of \d/).waitFor();
  }

  textOf(selector: string): Promise<string> {
    return this.docs.page.locator(selector).innerText();
  }

  /** The error that the page says. */
  problem(): Promise<string> {
    return this.textOf('.problem');
  }

  /** Fails when a key is anywhere but in the memory of the page. */
  async expectNoTraceOf(key: string): Promise<void> {
    const { page } = this.docs;
    const kept = await page.evaluate<string>(`JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map(({ value }) => value),
      document.title, document.cookie, location.href, history.state, window.name,
      { ...localStorage }, { ...sessionStorage }, Object.entries(window).map(String),
    ])`);
    expect(kept).not.toContain(key);
    expect(await page.evaluate('caches.keys().then((names) => names.length)')).toBe(0);
    expect(this.requested.filter((url) => url.includes(key))).toEqual([]);
  }

  async expectWidth(width: number): Promise<void> {
    expect(await this.docs.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
}

/** The id of a key, which costs one request of it. */
export async function idOf({ running }: DocsPage, key: string): Promise<KeyId> {
  const headers = { Authorization: `Bearer ${key}` };
  const reply = await fetch(`${running.service.origin}/v1/usage`, { headers });
  const id = KeyId.parse(((await reply.json()) as { keyId: string }).keyId);
  if (id === undefined) throw new Error('The response has no id of a key.');
  return id;
}

/** A webhook that failed and one delivery of each end, the older one delivered. */
export interface SeededWebhook {
  readonly id: string;
  readonly failedDelivery: string;
  readonly eventId: string;
}

/** A webhook that nothing is sent to, with two deliveries; its description holds markup. */
export async function seedWebhook({ running }: DocsPage, keyId: KeyId): Promise<SeededWebhook> {
  const [id, deliveredDelivery, failedDelivery, eventId] = [nextId(), nextId(), nextId(), nextId()];
  const sql = new PgClient(running.postgres.url);
  await sql.connect();
  try {
    await sql.query(
      `insert into webhooks (id, key_id, url, types, description, status, failing_since)
       overriding system value
       values ($1, $2, 'https://shop.example/hook', '{category.updated}', $3, 'enabled', now())`,
      [id, keyId, MARKUP],
    );
    await sql.query(
      `insert into webhook_deliveries
         (id, webhook_id, position, type, status, attempts, last_attempt_at, response_status, error)
       overriding system value
       values ($2, $1, 1, 'category.updated', 'delivered', 1, now(), 200, null),
              ($3, $1, $4, 'category.updated', 'failed', 10, now(), 503, 'http_status')`,
      [id, deliveredDelivery, failedDelivery, eventId],
    );
  } finally {
    await sql.end();
  }
  return { id, failedDelivery, eventId };
}
