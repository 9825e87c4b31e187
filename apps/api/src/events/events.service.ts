import { Injectable } from '@nestjs/common';
import { crc32 } from 'node:zlib';
import { ApiKeyRefusedError, type Caller } from '@petstore/api-key';
import {
  EVENT_SCOPES,
  type EventPage,
  type EventResource,
  PositionGoneError,
  visibleEvents,
} from '@petstore/event-feed';
import { ApiError, formatLinks } from '@petstore/http-server';
import { EventFeed } from '@petstore/persistence';
import { PageLimit } from '@petstore/pet-domain';
import { PETSTORE_SCOPES } from '../access/petstore-scopes.js';
import { allowStale } from '../storage/allow-stale.js';
import { REALM } from '../access/access.errors.js';
import { LinkBuilder } from '../operations/link-builder.js';
import type { Page } from '../operations/responses.js';
import { EVENT_LIST, type ListEventsQuery } from './event.dto.js';
import { EVENT_ERRORS, READ_ANEW } from './events.docs.js';

/** Reading the feed. */
@Injectable()
export class EventsService {
  constructor(
    private readonly feed: EventFeed,
    private readonly links: LinkBuilder,
  ) {}

  /**
   * A page; its link always leads to a next one.
   *
   * @throws {ApiError} `position_gone`
   * @throws {ApiKeyRefusedError} for a resource that the key may not see at all
   */
  async list(query: ListEventsQuery, caller: Caller): Promise<Page> {
    const { after, limit = PageLimit.DEFAULT, resource } = query;
    if (resource !== undefined) requireVisible(resource, caller);
    const visibility = visibleEvents(caller, resource);
    const page = await orPositionGone(
      this.feed.read({ after, limit, visibility }, allowStale(caller)),
      after,
    );
    const target = this.links.list('/events', {
      ...EVENT_LIST.linkParameters(query),
      after: page.position,
    });
    const link = formatLinks([{ target, rel: 'next' }]);
    return { json: page.json, link, next: page.position, tag: tagOf(page) };
  }
}

function requireVisible(resource: EventResource, { scopes }: Caller): void {
  const needed = PETSTORE_SCOPES.get(EVENT_SCOPES[resource].needed);
  if (!scopes.has(needed)) throw ApiKeyRefusedError.lacking(needed, REALM);
}

/**
 * A strong validator of a page of the feed (RFC 9110, section 8.8.3). Events never change: the end of a page and its length
 * identify what one reader gets behind one position; the CRC-32 differs after a backup has replaced the database. A SHA-1
 * of a page of 100 events would take a tenth of the response's CPU time.
 *
 * Of equal bodies one may reach further: a reader that gets 304 continues behind it.
 */
function tagOf({ json, position }: EventPage): string {
  return `"${crc32(json).toString(36)}-${json.length.toString(36)}.${position}"`;
}

/** Rejects with the contract's error for a position that the feed does not reach. @param after as the client gave it */
export async function orPositionGone<T>(work: Promise<T>, after = ''): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PositionGoneError)) throw error;
    const { first, newest, isBeyondNewest } = error;
    const reason = isBeyondNewest
      ? `The newest event is ${newest}: the position ${after} was never given out.`
      : `Events up to ${first} are no longer kept.`;
    throw new ApiError(EVENT_ERRORS.position_gone, { message: `${reason} ${READ_ANEW}` });
  }
}
