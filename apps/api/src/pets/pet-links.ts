import { Inject, Injectable } from '@nestjs/common';
import { type Pet, type PetPage, type PetPageRequest } from '@petstore/pet-domain';
import { pageLinks } from '../lists/page-links.js';
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

  /** Link header field of a page; `undefined` when it needs none. */
  page({ limit, status, categoryId, before }: PetPageRequest, { last, more }: PetPage): string | undefined {
    return pageLinks({
      path: this.pets,
      limit,
      filters: { status, categoryId },
      next: more && last !== undefined ? PetCursor.encode({ status, categoryId, before: last }) : undefined,
      isFirst: before === undefined,
    });
  }
}
