import type { Reply } from './client.js';

/** An animal of a list whose ids a number holds exactly. */
export interface ListedPet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status: string;
}

/** The animals of an answer. */
export function petsOf(reply: Reply): ListedPet[] {
  return JSON.parse(reply.text) as ListedPet[];
}

/** Target of the link with this relation. */
export function linkOf(reply: Reply, rel: string): string | undefined {
  return new RegExp(`<([^>]*)>; rel="${rel}"`).exec(String(reply.headers['link']))?.[1];
}
