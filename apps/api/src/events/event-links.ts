import { Inject, Injectable } from '@nestjs/common';
import type { EventPageRequest, EventPosition, EventResource } from '@petstore/event-feed';
import { formatLinks } from '@petstore/http-kernel';
import { PageLimit } from '@petstore/pet-domain';
import { API_BASE_URL } from '../operations/api-base-url.js';
import { EVENTS_PATH } from './events.operations.js';

/** Where readers of the feed go on, as clients would write it. */
@Injectable()
export class EventLinks {
  private readonly events: string;

  /** @param base `/v1`, or an absolute URL that ends in it */
  constructor(@Inject(API_BASE_URL) base: string) {
    this.events = base + EVENTS_PATH;
  }

  /** Link header field of a page (RFC 8288): there is always a next one. @param position how far was read @param resource the only one */
  next({ limit }: EventPageRequest, position: EventPosition, resource: EventResource | undefined): string {
    let target = `${this.events}?after=${position}`;
    if (limit !== PageLimit.DEFAULT) target += `&limit=${limit}`;
    if (resource !== undefined) target += `&resource=${resource}`;
    return formatLinks([{ target, rel: 'next' }]);
  }
}
