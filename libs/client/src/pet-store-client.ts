import { type ListPets, listSearch, type NewPet, type Pet, type PetPage, toInt64 } from './pet.js';
import type { LimitState } from './limit-state.js';
import { RetryPolicy } from './retry-policy.js';
import { type Call, Transport } from './transport.js';
import { parseLinks } from './web-link.js';

export interface PetStoreClientOptions {
  /** Where the API is; ends in the version: `https://petstore.example/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Milliseconds that one attempt may take until its whole answer is there; 10,000 unless said. */
  readonly timeoutMs?: number;
  /** How many times a request is sent again when that is safe; 5 unless said, 0 for never. */
  readonly maxRetries?: number;
  /**
   * Longest `Retry-After`, in milliseconds, that is waited for; 90,000 unless said: a minute's window is
   * sat out, a used-up day is an error at once.
   */
  readonly maxWaitMs?: number;
  /** Told once for each deprecated operation that is used; `console.warn` unless said. */
  readonly warn?: (message: string) => void;
  /** Another `fetch` than that of the platform. */
  readonly fetch?: typeof fetch;
}

/** Settings of one call. */
export interface CallOptions {
  /** Ends the call, its waits included: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** As in {@link PetStoreClientOptions}, for this call. */
  readonly timeoutMs?: number;
}

export interface CreateOptions extends CallOptions {
  /**
   * What this creation is called, 1 to 255 visible ASCII characters; a random name unless said. Say it to
   * ask again after a restart of the program. `false` sends none, and then a creation that may have
   * happened is never sent again.
   */
  readonly idempotencyKey?: string | false;
}

/** Most animals a page may have; what {@link PetStoreClient.pets} asks for, to need the fewest requests. */
const LARGEST_PAGE = 100;

/** The Pet Store Service, as seen by one key. */
export class PetStoreClient {
  private readonly transport: Transport;

  constructor(options: PetStoreClientOptions) {
    const { baseUrl, apiKey, timeoutMs = 10_000, maxRetries = 5, maxWaitMs = 90_000 } = options;
    this.transport = new Transport({
      // Throws a TypeError for what is not absolute.
      baseUrl: new URL(baseUrl).href.replace(/\/+$/, ''),
      apiKey,
      timeoutMs,
      retries: new RetryPolicy(maxRetries, maxWaitMs),
      // Browsers call it as a function of the global object only.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      warn: options.warn ?? console.warn,
    });
  }

  /** How much of the key's limits was left at the last answer; `undefined` before the first one. */
  get limits(): LimitState | undefined {
    return this.transport.limits;
  }

  /**
   * One page of animals, newest first; all of those with `ids`.
   *
   * @throws RangeError for an id or a `categoryId` that is a number and not exact
   */
  async listPets(query: ListPets = {}, options: CallOptions = {}): Promise<PetPage> {
    const { headers, body } = await this.transport.send({
      operation: 'listPets',
      method: 'GET',
      path: `/pets${listSearch(query)}`,
      repeatable: true,
      ...settings(options),
    });
    return { pets: body as Pet[], next: nextCursor(headers) };
  }

  /** All pages from the newest animals to the oldest. */
  async *pages(query: ListPets = {}, options: CallOptions = {}): AsyncGenerator<PetPage, void, undefined> {
    let cursor = query.cursor;
    do {
      const page = await this.listPets({ ...query, ...(cursor === undefined ? {} : { cursor }) }, options);
      yield page;
      cursor = page.next;
    } while (cursor !== undefined);
  }

  /** All animals, newest first, page after page. */
  async *pets(query: ListPets = {}, options: CallOptions = {}): AsyncGenerator<Pet, void, undefined> {
    const all = query.ids === undefined ? { limit: LARGEST_PAGE, ...query } : query;
    for await (const { pets } of this.pages(all, options)) yield* pets;
  }

  /**
   * Adds an animal, once however often the request has to be sent.
   *
   * @throws RangeError for a `categoryId` that is a number and not exact
   */
  async createPet(pet: NewPet, options: CreateOptions = {}): Promise<Pet> {
    const { idempotencyKey = randomKey() } = options;
    const { body } = await this.transport.send({
      operation: 'createPet',
      method: 'POST',
      path: '/pets',
      body: { ...pet, categoryId: toInt64('categoryId', pet.categoryId) },
      headers: idempotencyKey === false ? {} : { 'Idempotency-Key': idempotencyKey },
      repeatable: idempotencyKey !== false,
      ...settings(options),
    });
    return body as Pet;
  }

  /**
   * One animal.
   *
   * @deprecated The service removes it on 5 December 2030. Use {@link PetStoreClient.pets} with a status or ids.
   * @throws ApiError `pet_not_found`; RangeError for an id that is a number and not exact
   */
  async getPet(id: bigint | number, options: CallOptions = {}): Promise<Pet> {
    const { body } = await this.transport.send({
      operation: 'getPet',
      method: 'GET',
      path: `/pets/${toInt64('id', id)}`,
      repeatable: true,
      ...settings(options),
    });
    return body as Pet;
  }
}

function settings({ signal, timeoutMs }: CallOptions): Pick<Call, 'signal' | 'timeoutMs'> {
  return { signal, timeoutMs };
}

/** The cursor alone is taken from the link: the service may know itself by another address than we do. */
function nextCursor(headers: Headers): string | undefined {
  const target = parseLinks(headers.get('Link')).get('next');
  if (target === undefined) return undefined;
  return new URL(target, 'http://relative').searchParams.get('cursor') ?? undefined;
}

/** 128 random bits; crypto.randomUUID is missing on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
