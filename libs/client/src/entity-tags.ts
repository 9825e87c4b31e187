import type { Category } from './category.js';
import type { Pet } from './pet.js';
import type { Success } from './read-response.js';
import type { Webhook } from './webhook.js';

/** What has a tag that a write can be based on. */
type Tagged = Pet | Category | Webhook;

/** Beside the resources, not in them: an animal has its four members, and a changed copy has no tag. */
const TAGS = new WeakMap<Tagged, string>();

/** The body of a response that holds one animal, category or webhook; its `ETag` is kept. */
export function withTagOf({ headers, body }: Success): unknown {
  const tag = headers.get('ETag');
  if (tag !== null) TAGS.set(body as Tagged, tag);
  return body;
}

/**
 * Entity tag of an animal, a category or a webhook, for `ifMatch` of a later write; a text that can be stored.
 *
 * @param resource the object that `createPet`, `updatePet`, `getPet`, `create`, `put` or `get` of `categories`,
 *   or `create`, `update` or `get` of `webhooks` returned, not a copy of it
 * @throws TypeError for any other object, such as an animal of a list: lists have no tags of their animals
 */
export function etagOf(resource: Tagged): string {
  const tag = TAGS.get(resource);
  if (tag === undefined) {
    throw new TypeError(
      'The object is not what a creation, a change or the fetching of one resource returned.',
    );
  }
  return tag;
}
