import { Inject, Injectable } from '@nestjs/common';
import { formatLinks, type WebLink } from '@petstore/http-kernel';
import { PageLimit, type Pet, type PetPage, type PetPageRequest } from '@petstore/pet-domain';
import { API_BASE_URL } from '../operations/api-base-url.js';
import { PetCursor } from './pet-cursor.js';
import { PETS_PATH } from './pets.operations.js';

/** Where animals and lists of them are found, as clients would write it. */
@Injectable()
export class PetLinks {
  private readonly pets: string;

  /** @param base `/v1`, or an absolute URL that ends in it */
  constructor(@Inject(API_BASE_URL) base: string) {
    this.pets = base + PETS_PATH;
  }

  /** Of one animal; for the Location header field. */
  pet({ id }: Pick<Pet, 'id'>): string {
    return `${this.pets}/${id}`;
  }

  /**
   * Link header field of a page (RFC 8288): `next` unless it is the last one, `first` when it is not the
   * first one. `undefined` when there is neither.
   */
  page(request: PetPageRequest, { last, more }: PetPage): string | undefined {
    const links: WebLink[] = [];
    if (more && last !== undefined) {
      const { status, categoryId } = request;
      const cursor = PetCursor.encode({ status, categoryId, before: last });
      links.push({ target: this.list(request, cursor), rel: 'next' });
    }
    if (request.before !== undefined) links.push({ target: this.list(request), rel: 'first' });
    return links.length === 0 ? undefined : formatLinks(links);
  }

  private list({ limit, status, categoryId }: PetPageRequest, cursor?: string): string {
    let query = '';
    if (limit !== PageLimit.DEFAULT) query += `&limit=${limit}`;
    if (status !== undefined) query += `&status=${status}`;
    if (categoryId !== undefined) query += `&categoryId=${categoryId}`;
    if (cursor !== undefined) query += `&cursor=${cursor}`;
    return query === '' ? this.pets : `${this.pets}?${query.slice(1)}`;
  }
}
