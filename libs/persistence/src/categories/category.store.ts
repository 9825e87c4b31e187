import { Injectable } from '@nestjs/common';
import {
  type CategoryId,
  type CategoryPage,
  type CategoryPageRequest,
  INT64_MAX,
} from '@petstore/pet-domain';
import { Database } from '../database/database.js';
import type { Statement } from '../pipelined-pool/statement.js';
import { toPage } from '../sql/page.js';
import { CATEGORY_JSON } from './category.schema.js';

const PAGE: Statement = {
  name: 'categories_page',
  text: `select id, ${CATEGORY_JSON} from categories where id <= $1 order by id desc limit $2`,
};
const FIND: Statement = {
  name: 'categories_find',
  text: `select ${CATEGORY_JSON} from categories where id = $1`,
};

/**
 * Categories as readers get them. They are changed in a transaction, see `CategoryRepository`.
 *
 * Every method rejects with `StoreUnavailableError` when the database is unavailable. `allowStale` says that the reader takes
 * what was true some seconds ago, which a replica may serve.
 */
@Injectable()
export class CategoryStore {
  constructor(private readonly database: Database) {}

  /** One page, the greatest id first. */
  async list({ limit, before }: CategoryPageRequest, allowStale = false): Promise<CategoryPage> {
    const greatest = before === undefined ? INT64_MAX : String(BigInt(before) - 1n);
    const reads = this.database.readsFor(allowStale);
    return toPage<CategoryId>(await reads.queryOnce(PAGE, [greatest, limit + 1]), limit);
  }

  /** The category as JSON; `undefined` when there is none. */
  async find(id: CategoryId, allowStale = false): Promise<string | undefined> {
    const [row] = await this.database.readsFor(allowStale).queryOnce(FIND, [id]);
    return row?.[0] ?? undefined;
  }
}
