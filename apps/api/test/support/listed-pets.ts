import type { Client, Reply } from './client.js';

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

/** Follows the links to the next page from `path` to the end; `between` runs after each page. */
export async function allPages<T = ListedPet>(
  client: Client,
  path: string,
  between?: () => Promise<unknown>,
): Promise<T[]> {
  const seen: T[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page: Reply = await client.get(next);
    if (page.status !== 200) throw new Error(`${next} is ${page.status}: ${page.text}`);
    seen.push(...(JSON.parse(page.text) as T[]));
    next = linkOf(page, 'next');
    await between?.();
  }
  return seen;
}
