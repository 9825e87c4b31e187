import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Fault } from '@petstore/test-servers';
import { type Pet, type PetStoreClient, toJson, UnexpectedResponseError } from '../src/index.js';
import { collect, failureOf, ProxiedStore } from './proxied-store.js';

const running = new ProxiedStore();
let client: PetStoreClient;
/** All animals, newest first. */
let all: Pet[];
/** Of the page behind the newest one. */
let cursor: string;

beforeAll(async () => {
  client = running.connect({ maxRetries: 0 });
  for (let n = 0; n < 3; n++) await client.createPet({ name: `listed ${n}`, categoryId: 1 });
  all = await collect(client.pets());
  cursor = (await client.listPets({ limit: 1 })).next ?? '';
});

/** A first page with one animal and other header fields. */
const page = (link: string | string[], body = toJson(all.slice(0, 1))): Fault => ({
  kind: 'answer',
  answer: { status: 200, headers: { 'Content-Type': 'application/json', Link: link }, body },
});
const paths = (): string[] => running.proxy.seen().map(({ path }) => path);

describe('a list goes on', () => {
  it.each<[string, (target: string) => string | string[]]>([
    ['a token', (target) => `<${target}>; rel=next`],
    ['two relations', (target) => `<${target}>; rel="next last"`],
    ['white space', (target) => `  <${target}>\t ; \t rel = "  last\tnext " ; `],
    ['empty elements and parameters', (target) => `, ,<${target}>;;rel=next; ,,`],
    ['what looks like more in a text', (target) => `<${target}>; title="a, \\"b\\"; rel=last <"; rel=next`],
    ['links around it', (target) => `</a,b;c>; rel=preload, <${target}>; rel="next", <>; rel="first"`],
    ['fields around it', (target) => ['</a.css>; rel=preload', `<${target}>; rel=next`, '</>; rel=up']],
    ['the same link again', (target) => [`<${target}>; rel=next`, `<${target}>; rel="next"`]],
    [
      'a next page of another resource',
      (target) => `</?cursor=a>; rel=next; anchor="/x", <${target}>; rel=next`,
    ],
    ['garbage behind it', (target) => `<${target}>; rel=next, "`],
  ])('behind a link with %s', async (_name, link) => {
    for (const target of [
      `/v1/pets?limit=1&cursor=${cursor}`,
      `?cursor=${cursor}`,
      `../v1/pets?cursor=${cursor}#a`,
    ]) {
      running.proxy.next(page(link(target)));
      expect(await collect(client.pets())).toEqual(all);
    }
  });

  it('at its own server, with its own key, wherever a link leads', async () => {
    for (const origin of [
      'https://elsewhere.example',
      '//elsewhere.example',
      'http://user:password@127.0.0.1:1',
    ]) {
      running.proxy.next(page(`<${origin}/v1/other?cursor=${cursor}&limit=1>; rel="next"`));
      expect(await collect(client.pets())).toEqual(all);
      expect(paths()).toEqual(['/v1/pets?limit=100', `/v1/pets?limit=100&cursor=${cursor}`]);
    }
  });

  it('no further than a page without a link of its own', async () => {
    for (const link of [
      '',
      '</a>; rel=prev',
      '</?cursor=a>; rel=next; anchor="/v1/orders"',
      '</?cursor=a>; rev=next',
    ]) {
      running.proxy.next(page(link));
      expect(await collect(client.pets())).toEqual(all.slice(0, 1));
    }
  });
});

describe('a list is an error, and not the whole', () => {
  const NEXT = '</v1/pets?cursor=a>; rel=next';

  it.each<readonly [string, string, string?]>([
    ['does not end', '</v1/pets?cursor=a; rel=next'],
    ['has a text that does not end', '</v1/pets?cursor=a>; title="; rel=next'],
    ['is behind garbage', '</a> rel=prev, </v1/pets?cursor=a>; rel=next'],
    ['has no cursor', '</v1/pets>; rel=next'],
    ['has a target that is none', '<http://[/?cursor=a>; rel=next'],
    ['has another one beside it', '</v1/pets?cursor=a>; rel=next, </v1/pets?cursor=b>; rel=next'],
    ['comes with an empty page', NEXT, '[]'],
    ['comes with HTML', NEXT, '<h1>Portal</h1>'],
    ['comes with a list of something else', NEXT, '[{"name":"Rex"}]'],
    ['comes with a part of the page', NEXT, '[{"id":1,"name":"Rex"'],
  ])('when its link %s', async (...[, link, body]) => {
    running.proxy.next(page(link, body));
    const failure = await failureOf(collect(client.pets()));
    expect(failure).toBeInstanceOf(UnexpectedResponseError);
    expect(failure).toMatchObject({ status: 200, operation: 'listPets' });
    expect(paths()).toHaveLength(1);
  });

  const pagesOf = (...pages: readonly (readonly [id: number, next: string])[]): Fault[] =>
    pages.map(([id, next]) => page(`<?cursor=${next}>; rel=next`, `[{"id":${id}}]`));

  it.each([
    ['leads to itself', pagesOf([9, 'a'], [8, 'a'])],
    ['leads back', pagesOf([9, 'a'], [8, 'b'], [7, 'a'])],
    ['comes again under new cursors', pagesOf([9, 'a'], [9, 'b'])],
  ])('when a page %s', async (_name, pages) => {
    running.proxy.next(...pages, ...pages, ...pages);
    expect(await failureOf(collect(client.pets()))).toBeInstanceOf(UnexpectedResponseError);
    expect(paths()).toHaveLength(pages.length);
  });

  it.each([1, 2, undefined])('when its links are removed: pages of %p', async (limit) => {
    // A proxy that passes only what it knows.
    const withoutLinks: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      return new Response(await response.text(), { status: response.status });
    };
    const behind = running.connect({ fetch: withoutLinks });
    const whole = collect(behind.pets({ limit }));
    if (limit === undefined) expect(await whole).toEqual(all);
    else expect(await failureOf(whole)).toMatchObject({ operation: 'listPets' });
    expect(paths()).toHaveLength(limit === undefined ? 1 : 2);
  });

  it.each([1, 3])('but no error when a full page is the last one: of %i', async (limit) => {
    const categoryId = BigInt(limit) + 1_000n;
    for (let n = 0; n < limit; n++) await client.createPet({ name: `full ${n}`, categoryId });
    expect(await collect(client.pets({ categoryId, limit }))).toHaveLength(limit);
    const answer = page('', `[${Array.from({ length: limit }, (_, n) => `{"id":${n + 1}}`).join(',')}]`);
    running.proxy.next(answer, answer);
    expect(await collect(client.pets({ limit }))).toHaveLength(limit);
  });

  it('when a page breaks off, for every list', async () => {
    const lists = {
      listPets: () => collect(client.pets()),
      listCategories: () => collect(client.categories.all()),
      listOrders: () => collect(client.orders.all()),
      listWebhooks: () => client.webhooks.list(),
      listDeliveries: () => collect(client.webhooks.deliveries(1)),
      listEvents: () => client.listEvents(),
    };
    for (const [operation, list] of Object.entries(lists)) {
      running.proxy.next(page(NEXT, '{"id":1}'));
      expect(await failureOf(list())).toMatchObject({ name: 'UnexpectedResponseError', operation });
      running.proxy.next({ kind: 'truncate' });
      expect(await failureOf(list())).toMatchObject({ name: expect.stringMatching(/Error$/), operation });
    }
  });
});

describe('a search', () => {
  it('sends lists with commas and booleans as they are, and leaves out what is undefined', async () => {
    const { id } = await client.createPet({ name: 'searched', categoryId: 1 });
    await client.replacePetProfile(id, { species: 'Dog', size: 'small', vaccinated: false });
    const found = await collect(
      client.pets({
        ...{ species: 'dog', size: ['small', 'medium'], vaccinated: false, name: undefined },
        include: ['profile', 'createdAt'],
      }),
    );
    expect(found).toEqual([
      expect.objectContaining({ id, createdAt: expect.any(String), profile: expect.any(Object) }),
    ]);
    expect(paths().at(-1)).toContain('size=small%2Cmedium');
  });

  it('refuses an empty list, which would be no condition', async () => {
    expect(await failureOf(client.listPets({ size: [] }))).toBeInstanceOf(RangeError);
  });
});
