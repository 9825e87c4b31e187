import { isDeepStrictEqual } from 'node:util';
import type { PetState } from '@petstore/pet-domain';
import type { Client, Reply } from './client.js';

/** An animal with its int64 members as digits. */
export type ToldPet = { readonly [Member in keyof PetState]: string };

/** An event with its int64 members as digits. */
export interface ToldEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly pet: ToldPet; readonly previous?: Partial<ToldPet> };
}

/** As a client reads it that keeps an int64 exact: names are escaped, so that none looks like a member. */
const parse = (text: string): unknown => JSON.parse(text.replace(/"(id|categoryId)":(\d+)/g, '"$1":"$2"'));

/** What a response holds: an animal, some animals or some events. */
export const petIn = ({ text }: Reply): ToldPet => parse(text) as ToldPet;
export const petsIn = ({ text }: Reply): ToldPet[] => parse(text) as ToldPet[];
export const eventsIn = ({ text }: Reply): ToldEvent[] => parse(text) as ToldEvent[];

/** Where the Link of a response leads; `undefined` without one. */
export const nextOf = ({ headers }: Reply): string | undefined =>
  /<([^>]*)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1];

/** The position that the Link of a response of the feed leads to. */
export const positionOf = (reply: Reply): string => /after=(\d+)/.exec(nextOf(reply) ?? '')?.[1] ?? '';

/**
 * The animals after these events, from the first one of the feed on.
 *
 * @throws {Error} when positions have a gap or repeat, or an event does not follow from the state before it
 */
export function replay(events: readonly ToldEvent[]): Map<string, ToldPet> {
  const pets = new Map<string, ToldPet>();
  for (const [at, { id, type, data }] of events.entries()) {
    const { pet, previous } = data;
    const before = type === 'pet.created' ? undefined : { ...pet, ...previous };
    if (id !== String(at + 1) || !isDeepStrictEqual(pets.get(pet.id), before))
      throw new Error(
        `Event ${at + 1} is ${JSON.stringify(events[at])} after ${JSON.stringify(pets.get(pet.id))}.`,
      );
    if (type === 'pet.deleted') pets.delete(pet.id);
    else pets.set(pet.id, pet);
  }
  return pets;
}

/** All animals, page by page. */
export async function allPets(client: Client): Promise<ToldPet[]> {
  const pets: ToldPet[] = [];
  for (let page: string | undefined = '/v1/pets?limit=100'; page !== undefined;) {
    const reply = await get(client, page);
    pets.push(...petsIn(reply));
    page = nextOf(reply);
  }
  return pets;
}

async function get(client: Client, path: string): Promise<Reply> {
  const reply = await client.get(path);
  if (reply.status !== 200) throw new Error(`${path} is ${reply.status}: ${reply.text}`);
  return reply;
}

/** A copy of all animals, kept as the guide says: a first synchronisation, and then the feed. */
export class EventReader {
  readonly pets = new Map<string, ToldPet>();
  /** All that was read of the feed, in order. */
  readonly events: ToldEvent[] = [];
  /** Of the last event that was applied to an animal. */
  private readonly applied = new Map<string, bigint>();
  private next = '/v1/events?after=0&limit=100';

  constructor(private readonly client: Client) {}

  /** Copies all animals, and knows where the feed was before that. */
  async synchronise(): Promise<void> {
    const latest = await get(this.client, '/v1/events?after=latest');
    this.next = `${nextOf(latest) ?? ''}&limit=100`;
    for (const pet of await allPets(this.client)) this.pets.set(pet.id, pet);
  }

  /** Reads one page and applies it; whether there may be more at once. */
  async follow(): Promise<boolean> {
    const reply = await get(this.client, this.next);
    const page = eventsIn(reply);
    for (const event of page) this.apply(event);
    this.events.push(...page);
    this.next = nextOf(reply) ?? this.next;
    return page.length === 100;
  }

  private apply({ id, type, data: { pet } }: ToldEvent): void {
    if ((this.applied.get(pet.id) ?? 0n) >= BigInt(id)) return;
    this.applied.set(pet.id, BigInt(id));
    if (type === 'pet.deleted') this.pets.delete(pet.id);
    else this.pets.set(pet.id, pet);
  }
}
