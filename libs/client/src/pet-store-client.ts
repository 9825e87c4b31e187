import { CategoriesClient } from './categories-client.js';
import {
  type CallOptions,
  creationOf,
  type CreateOptions,
  type FollowOptions,
  type PetStoreClientOptions,
  preconditionsOf,
  type WriteOptions,
} from './client-options.js';
import { feedQuery, pollInterval, positioned, toEventPage } from './events.js';
import { toInt64 } from './json.js';
import type { LimitState } from './limit-state.js';
import { OrdersClient } from './orders-client.js';
import { LARGEST_PAGE, pagesOf } from './pagination.js';
import { pause } from './pause.js';
import type {
  EventPage,
  Inventory,
  ListEvents,
  ListedPet,
  ListPets,
  NewPet,
  Pet,
  PetPage,
  PetPatch,
  PetProfile,
  PositionedEvent,
  Usage,
} from './resources.js';
import { Transport } from './transport.js';
import { WebhooksClient } from './webhooks-client.js';

/** Most ids of one request. */
const MAX_IDS = 100;

/** The Pet Store Service, as seen by one key. */
export class PetStoreClient {
  readonly categories: CategoriesClient;
  readonly orders: OrdersClient;
  readonly webhooks: WebhooksClient;
  private readonly transport: Transport;

  /** @throws TypeError for a `baseUrl` that is not the address of an API, or lacks its version */
  constructor(options: PetStoreClientOptions) {
    this.transport = new Transport(options);
    this.categories = new CategoriesClient(this.transport);
    this.orders = new OrdersClient(this.transport);
    this.webhooks = new WebhooksClient(this.transport);
  }

  /** Limits of the key at the last response; `undefined` before the first one. */
  get limits(): LimitState | undefined {
    return this.transport.limits;
  }

  /**
   * One page of animals, newest first; all of those with `ids`; those that are searched.
   *
   * @throws RangeError for an id or a `categoryId` that is a number and not exact, and for an empty list
   */
  async listPets(query: ListPets = {}, options: CallOptions = {}): Promise<PetPage> {
    const ids = query.ids?.map((id) => toInt64('ids', id));
    const parameters = Object.fromEntries(
      Object.entries({ ...query, ids }).map(([name, value]) => [name, withCommas(name, value)]),
    );
    const { items, next } = await this.transport.list('listPets', '/pets', parameters, options);
    return { pets: items, next };
  }

  /** All pages from the newest animals to the oldest. */
  pages(query: ListPets = {}, options: CallOptions = {}): AsyncGenerator<PetPage, void, undefined> {
    return pagesOf('listPets', 'pets', (page) => this.listPets(page, options), query);
  }

  /** All animals, newest first, page after page. */
  async *pets(query: ListPets = {}, options: CallOptions = {}): AsyncGenerator<ListedPet, void, undefined> {
    const all = query.ids === undefined ? { limit: LARGEST_PAGE, ...query } : query;
    for await (const { pets } of this.pages(all, options)) yield* pets;
  }

  /**
   * The animals with these ids, newest first; those that do not exist are left out. A request for each 100 ids.
   *
   * @throws RangeError for an id that is a number and not exact
   */
  async petsById(ids: Iterable<bigint | number>, options: CallOptions = {}): Promise<Pet[]> {
    const different = new Set([...ids].map((id) => toInt64('ids', id)));
    const newestFirst = [...different].sort((a, b) => (a > b ? -1 : 1));
    const found: Pet[] = [];
    for (let at = 0; at < newestFirst.length; at += MAX_IDS) {
      const { pets } = await this.listPets({ ids: newestFirst.slice(at, at + MAX_IDS) }, options);
      found.push(...pets);
    }
    return found;
  }

  /**
   * Adds an animal, once however often the request has to be sent.
   *
   * @throws RangeError for a `categoryId` that is a number and not exact
   */
  async createPet(pet: NewPet, options: CreateOptions = {}): Promise<Pet> {
    const call = { method: 'POST', path: '/pets', body: pet, ...creationOf(options) } as const;
    return this.transport.send('createPet', call, options);
  }

  /**
   * One animal.
   *
   * @deprecated The service removes it on 5 December 2030. Use {@link PetStoreClient.petsById}.
   * @throws ApiError `pet_not_found`; RangeError for an id that is a number and not exact
   */
  async getPet(id: bigint | number, options: CallOptions = {}): Promise<Pet> {
    return this.transport.send('getPet', { path: petPath(id) }, options);
  }

  /**
   * Changes an animal. An empty patch changes nothing, and returns the animal with its tag.
   *
   * A change is repeated when the outcome of an attempt is unknown. Without `ifMatch` that does no harm. With it the
   * repetition fails if the first attempt was carried out: `details.isAfterUnknownOutcome` of the error is then true.
   *
   * @throws PreconditionFailedError; ApiError `pet_not_found`, `invalid_status_transition`, `pet_held_by_order`; RangeError for an id that is
   *   a number and not exact
   */
  async updatePet(id: bigint | number, patch: PetPatch, options: WriteOptions = {}): Promise<Pet> {
    const headers = { 'Content-Type': 'application/merge-patch+json', ...preconditionsOf(options) };
    const call = { method: 'PATCH', path: petPath(id), headers, body: patch } as const;
    return this.transport.send('updatePet', call, options);
  }

  /**
   * Removes an animal for ever.
   *
   * A removal is repeated when the outcome of an attempt is unknown. If the animal is gone then, the call succeeds,
   * although another client may have removed it.
   *
   * @throws PreconditionFailedError; ApiError `pet_not_found`, `pet_held_by_order`; RangeError for an id that is a number and not exact
   */
  async deletePet(id: bigint | number, options: WriteOptions = {}): Promise<void> {
    await this.transport.remove('deletePet', petPath(id), preconditionsOf(options), options);
  }

  /**
   * The profile of an animal for adopters; empty if there is none.
   *
   * @throws ApiError `pet_not_found`; RangeError for an id that is a number and not exact
   */
  async getPetProfile(id: bigint | number, options: CallOptions = {}): Promise<PetProfile> {
    return this.transport.send('getPetProfile', { path: profilePath(id), member: null }, options);
  }

  /**
   * Replaces the whole profile of an animal; an empty one takes it away. Its tag is not that of the animal.
   *
   * Repeated as {@link updatePet} is.
   *
   * @throws PreconditionFailedError; ApiError `pet_not_found`, `validation_failed`; RangeError for an id that is a number and
   *   not exact
   */
  async replacePetProfile(
    id: bigint | number,
    profile: PetProfile,
    options: WriteOptions = {},
  ): Promise<PetProfile> {
    const headers = preconditionsOf(options);
    const call = { method: 'PUT', path: profilePath(id), headers, body: profile, member: null } as const;
    return this.transport.send('replacePetProfile', call, options);
  }

  /**
   * How many animals of each status there are, of one category if that is given; a second old at most
   * (`docs/contract.md`, "Inventory").
   */
  async inventory(categoryId?: bigint | number, options: CallOptions = {}): Promise<Inventory> {
    const call = { path: '/store/inventory', query: { categoryId }, member: 'available' };
    return this.transport.send('getInventory', call, options);
  }

  /**
   * The key of this client: its plan, scopes and end, and its requests of the last 30 days, at most five seconds behind
   * (`docs/contract.md`, "Usage"). {@link limits} has what is left at this moment.
   */
  async usage(options: CallOptions = {}): Promise<Usage> {
    return this.transport.send('getUsage', { path: '/usage', member: 'keyId' }, options);
  }

  /**
   * One page of the feed of changes, oldest first.
   *
   * @throws PositionGoneError if the position is not kept; RangeError for one that is a number and not exact
   */
  async listEvents(query: ListEvents = {}, options: CallOptions = {}): Promise<EventPage> {
    const call = { path: '/events', query: feedQuery(query), isList: true };
    return toEventPage(await this.transport.request('listEvents', call, options), query);
  }

  /**
   * The feed, page after page, without an end: when there are no more events it waits and asks again. There are empty
   * pages too, which have newer positions. Leave the loop, or abort the signal, to stop.
   *
   * @throws PositionGoneError as {@link listEvents}, also later than at the start
   */
  async *eventPages(
    query: ListEvents = {},
    options: FollowOptions = {},
  ): AsyncGenerator<EventPage, never, undefined> {
    for (let after = query.after; ;) {
      const page = await this.listEvents({ ...query, after }, options);
      yield page;
      // A full page without a new position comes from a cache: pause before the next request.
      const mustWait = page.isCaughtUp || page.position === after;
      after = page.position;
      if (mustWait) await pause(options.pollMs ?? pollInterval(this.limits), options.signal);
    }
  }

  /** As {@link eventPages}, event by event. */
  async *events(
    query: ListEvents = {},
    options: FollowOptions = {},
  ): AsyncGenerator<PositionedEvent, void, undefined> {
    for await (const page of this.eventPages(query, options)) yield* positioned(page);
  }
}

function petPath(id: bigint | number): string {
  return `/pets/${toInt64('id', id)}`;
}

function profilePath(id: bigint | number): string {
  return `${petPath(id)}/profile`;
}

/** A list as a query has it. @throws RangeError for an empty one, which would be no condition at all */
function withCommas<T>(name: string, value: T | readonly string[]): T | string {
  if (!Array.isArray(value)) return value as T;
  if (value.length === 0) throw new RangeError(`${name} must not be an empty list.`);
  return value.join(',');
}
