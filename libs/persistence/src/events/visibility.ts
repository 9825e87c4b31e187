import { EVENT_RESOURCES, EVENT_SCOPES } from '@petstore/event-feed';

/** SQL of an event and of the key that might see it. */
export interface VisibilityColumns {
  readonly resource: string;
  readonly audience: string;
  readonly keyId: string;
  /** The scopes of the key, a `text[]`. */
  readonly scopes: string;
}

/** SQL: whether a key sees an event, as `visibleEvents` says it. */
export function isVisible({ resource, audience, keyId, scopes }: VisibilityColumns): string {
  const cases = EVENT_RESOURCES.map((one) => {
    const { needed, othersToo } = EVENT_SCOPES[one];
    const others =
      othersToo === undefined ? '' : ` and ('${othersToo}' = any (${scopes}) or ${audience} = ${keyId})`;
    return `when '${one}' then '${needed}' = any (${scopes})${others}`;
  });
  return `(case ${resource} ${cases.join(' ')} else false end)`;
}
