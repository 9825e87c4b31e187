import type { Category, Pet, Webhook } from './resources.js';

/** Beside the resources, not in them: an animal has the members of the contract only, and a changed copy has no tag. */
const TAGS = new WeakMap<object, string>();

/** Keeps the `ETag` of a response for its body. */
export function keepTag(body: unknown, headers: Headers): void {
  const tag = headers.get('ETag');
  if (tag !== null && typeof body === 'object' && body !== null) TAGS.set(body, tag);
}

/**
 * Entity tag of an animal, a category or a webhook, for `ifMatch` of a later write; a text that can be stored.
 *
 * @param resource the object that `createPet`, `updatePet`, `getPet`, `create`, `put` or `get` of `categories`,
 *   or `create`, `update` or `get` of `webhooks` returned, not a copy of it
 * @throws TypeError for any other object, such as an animal of a list: lists have no tags of their animals
 */
export function etagOf(resource: Pet | Category | Webhook): string {
  const tag = TAGS.get(resource);
  if (tag === undefined) {
    throw new TypeError(
      'The object is not what a creation, a change or the fetching of one resource returned.',
    );
  }
  return tag;
}
