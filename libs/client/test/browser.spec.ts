import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launchChromium } from '@petstore/test-servers';
import { Webhook } from 'standardwebhooks';
import * as sources from '../src/index.js';
import { ProxiedStore } from './proxied-store.js';

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

const running = new ProxiedStore();
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  const { proxy } = running;
  // Page, client and service share an origin, as behind one gateway.
  proxy.serve('/', 'text/html', '<!doctype html><title>A page that uses the client</title>');
  page = await browser.newPage();
  await page.goto(proxy.origin);
}, 90_000);
afterAll(() => browser.close());

/** Runs a function body in the page, with the module that the service has as `lib` and a client with `options` as `client`. */
function inPage(body: string): Promise<unknown> {
  return page.evaluate(`(async () => {
    const lib = await import('/embed/v1/client.js');
    const warnings = [];
    const options = {
      baseUrl: new URL('/v1', location.href).href,
      apiKey: ${JSON.stringify(running.key)},
      timeoutMs: 20_000,
      warn: (message) => warnings.push(message),
    };
    const client = new lib.PetStoreClient(options);
    ${body}
  })()`);
}

describe('the client in Chromium', () => {
  it('is all that the package has', async () => {
    expect(await inPage('return Object.keys(lib).sort()')).toEqual(Object.keys(sources).sort());
  });

  it('creates, lists and fetches, with exact ids', async () => {
    const result = await inPage(`
      const created = await client.createPet({ name: 'Tab', categoryId: 9007199254740993n });
      const fetched = await client.getPet(created.id);
      const ids = [];
      for await (const pet of client.pets({ limit: 2 })) ids.push(pet.id);
      return { fetched: lib.toJson(fetched), isFirst: ids[0] === created.id, warnings, limits: client.limits };
    `);
    expect(result).toMatchObject({
      fetched: expect.stringContaining('"categoryId":9007199254740993,'),
      isFirst: true,
      warnings: [expect.stringContaining('getPet is deprecated')],
      limits: { limit: 1_000_000, windows: [{ name: 'minute' }, { name: 'day' }] },
    });
  });

  it('creates exactly one animal when the connection breaks after the work', async () => {
    running.proxy.next({ kind: 'cut-after-work' });
    const result = await inPage(`
      await client.createPet({ name: 'Once in a tab', categoryId: 1n });
      let count = 0;
      for await (const pet of client.pets()) if (pet.name === 'Once in a tab') count++;
      return count;
    `);
    expect(result).toBe(1);
    expect(running.proxy.seen().filter(({ method }) => method === 'POST').length).toBeGreaterThan(1);
  });

  it('follows the feed over empty pages that its cache has, and writes to a known state', async () => {
    const result = await inPage(`
      const { position } = await client.listEvents({ after: 'latest' });
      const changes = async () => {
        const created = await client.createPet({ name: 'Followed', categoryId: 1n });
        const ifMatch = lib.etagOf(created);
        await client.updatePet(created.id, { name: 'Followed on' }, { ifMatch });
        const error = await client.deletePet(created.id, { ifMatch }).catch((error) => error);
        await client.deletePet(created.id, { ifMatch: error.etag });
      };
      const types = [];
      let pages = 0;
      for await (const page of client.eventPages({ after: position }, { pollMs: 20 })) {
        if (++pages === 5) await changes();
        const ours = page.events.filter(({ data }) => data.pet.name.startsWith('Followed'));
        types.push(...ours.map(({ type }) => type));
        if (types.includes('pet.deleted')) return types;
      }
    `);
    expect(result).toEqual(['pet.created', 'pet.updated', 'pet.deleted']);
  });

  it('verifies webhooks, and refuses others', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const body = '{"id":9007199254740993,"type":"webhook.test","timestamp":"","data":{"webhook":{"id":3}}}';
    const at = new Date();
    const headers = {
      'webhook-id': 'evt_test_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('evt_test_1', at, body),
    };
    const [sent, key] = [JSON.stringify({ body, headers }), JSON.stringify(secret)];
    const result = await inPage(`
      const { body, headers } = ${sent};
      const event = await lib.verifyWebhook(body, new Headers(headers), ${key});
      const forged = await lib.verifyWebhook(body + ' ', headers, ${key}).catch((error) => error);
      return { id: String(event.id), reason: forged.reason };
    `);
    expect(result).toEqual({ id: '9007199254740993', reason: 'signature' });
  });

  it('gives errors their codes, also by a given fetch, and stops when told to', async () => {
    running.proxy.next({ kind: 'none' }, { kind: 'hang' });
    const result = await inPage(`
      const given = new lib.PetStoreClient({ ...options, fetch: window.fetch });
      const refused = await given.listPets({ limit: 0 }).catch((error) => error);
      const aborted = await client.listPets({}, { signal: AbortSignal.timeout(50) }).catch((error) => error);
      return [refused.name, refused.code, aborted.name];
    `);
    expect(result).toEqual(['ApiError', 'invalid_parameter', 'TimeoutError']);
  });
});
