import type { components, operations } from './contract.generated.js';

// What consumers give and get. All exports of this file are exports of the package.

type Schemas = components['schemas'];

/** Where the contract has an int64, a number is taken too, if it is exact. */
type Int64Input<Value> = Value extends bigint
  ? bigint | number
  : Value extends readonly bigint[]
    ? readonly (bigint | number)[]
    : Value;

type Input<Schema> = { readonly [Name in keyof Schema]: Int64Input<Schema[Name]> };

type OptionalInput<Schema> = { readonly [Name in keyof Schema]?: Int64Input<Schema[Name]> | undefined };

type Query<Operation extends keyof operations> = OptionalInput<
  NonNullable<operations[Operation]['parameters']['query']>
>;

/** The header fields that an operation takes, by name. */
type HeaderOf<Operation> = Operation extends { parameters: { header?: infer Fields } }
  ? keyof NonNullable<Fields>
  : never;
type ResultOf<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Readonly<Body>
  : never;

/** What `ifMatch` of a write can be based on: what the operations that take `If-Match` return. */
export type TaggedResource = {
  [Name in keyof operations]: [HeaderOf<operations[Name]>] extends [never]
    ? never
    : 'If-Match' extends HeaderOf<operations[Name]>
      ? ResultOf<operations[Name]>
      : never;
}[keyof operations];

/** An animal. Its ids are `bigint`: they are int64, and a number is exact only up to 2^53. */
export type Pet = Readonly<Schemas['Pet']>;

export type PetStatus = Schemas['PetStatus'];

/** The profile of an animal for adopters: plain texts, never markup. A member that is absent is unknown. */
export type PetProfile = Readonly<Schemas['PetProfile']>;

/** An animal of a list, with what `include` asks for: when it was added (RFC 3339, UTC), and its profile, if there is one. */
export type ListedPet = Pet & { readonly createdAt?: string; readonly profile?: PetProfile };

/**
 * An animal to be added; the service makes it `available` unless given. A number is taken for `categoryId`, too, if it is
 * exact.
 */
export type NewPet = Input<Schemas['NewPet']>;

/** What is to change of an animal; the rest stays as it is. */
export type PetPatch = OptionalInput<Schemas['PetPatch']>;

/** How many animals there are of each status. */
export type Inventory = Readonly<Schemas['Inventory']>;

/**
 * Parameters of a list. Numbers are taken for `categoryId` and `ids`, too, if they are exact. With `ids`, at most 100
 * different ones, `limit` and `cursor` are not allowed, because all of them are in one page.
 */
export type ListPets = Query<'listPets'>;

/** One page of a list. */
export interface PetPage {
  readonly pets: readonly ListedPet[];
  /** Give it to the next call, with the same parameters but `limit` and `include`; `undefined` on the last page. */
  readonly next: string | undefined;
}

/** A name for a `categoryId` of animals. */
export type Category = Readonly<Schemas['Category']>;

/** What a category is to be called. */
export type NewCategory = Readonly<Schemas['NewCategory']>;

/** Parameters of a list. */
export type ListCategories = Query<'listCategories'>;

/** One page of a list, the greatest id first. */
export interface CategoryPage {
  readonly categories: readonly Category[];
  /** Give it to the next call as `cursor`; `undefined` on the last page. */
  readonly next: string | undefined;
}

/** An application for one animal, which it reserves at once. Times are RFC 3339 texts in UTC. */
export type Order = Readonly<Schemas['Order']>;

export type OrderStatus = Schemas['OrderStatus'];

/** An order to be placed. A number is taken for `petId`, too, if it is exact. */
export type NewOrder = Input<Schemas['NewOrder']>;

/** Parameters of a list. A number is taken for `petId`, too, if it is exact. */
export type ListOrders = Query<'listOrders'>;

/** One page of a list, newest first. */
export interface OrderPage {
  readonly orders: readonly Order[];
  /** Give it to the next call as `cursor`, with the same `status` and `petId`; `undefined` on the last page. */
  readonly next: string | undefined;
}

/** An endpoint of the key that events are delivered to. Times are RFC 3339 texts in UTC. */
export type Webhook = Readonly<Schemas['Webhook']>;

/** A webhook with a new secret, which is never shown again. */
export type WebhookWithSecret = Readonly<Schemas['WebhookWithSecret']>;

/** A webhook to be added. */
export type NewWebhook = Readonly<Schemas['NewWebhook']>;

/** What is to change of a webhook; `null` takes `types` or `description` away. */
export type WebhookPatch = Readonly<Schemas['WebhookPatch']>;

/** One event for one webhook. */
export type WebhookDelivery = Readonly<Schemas['WebhookDelivery']>;

/** Result of a recovery; with `next` it ended before the end of the feed. */
export type Recovery = Readonly<Schemas['Recovery']>;

/** Parameters of a list of deliveries. */
export type ListDeliveries = Query<'listDeliveries'>;

/** One page of a list of deliveries, newest first. */
export interface DeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  /** Give it to the next call as `cursor`, with the same `status`; `undefined` on the last page. */
  readonly next: string | undefined;
}

/**
 * One change (`docs/contract.md`, "Events"). More types and members are added over time: ignore those that the program
 * does not know. `isEvent` tells them apart.
 */
export type PetStoreEvent = Readonly<Schemas['Event']>;

/** Parameters of the feed. */
export interface ListEvents {
  /**
   * Only events behind this position. `latest` for none, to get the position of now; without it the oldest events that
   * are kept come first. A number is taken too, if it is exact.
   */
  readonly after?: bigint | number | 'latest' | undefined;
  /** Most events of a page, 1 to 100; 100 unless given. */
  readonly limit?: number | undefined;
  /** Only events of this resource. */
  readonly resource?: Query<'listEvents'>['resource'];
}

/** One page of the feed, which may be empty. */
export interface EventPage {
  /** Oldest first. */
  readonly events: readonly PetStoreEvent[];
  /** Where to go on: store it together with what was made of the events, and give it as `after`. */
  readonly position: bigint;
  /** Whether there were no more events at the moment of the response. */
  readonly isCaughtUp: boolean;
}

/** One event, and the position to go on from when it has been processed. */
export interface PositionedEvent {
  readonly event: PetStoreEvent;
  readonly position: bigint;
}

/** The key of the client, and its requests of the last 30 days. Times are RFC 3339 texts in UTC. */
export type Usage = Readonly<Schemas['Usage']>;
