import { Inject, Param } from '@nestjs/common';
import { ApiError, EmptyResponse, type JsonResponse } from '@petstore/http-kernel';
import { JsonBody, QueryParameters } from '@petstore/http-server';
import {
  type Category,
  CategoryId,
  CategoryInUseError,
  categoryJson,
  CategoryNameTakenError,
  type CategoryStore,
} from '@petstore/pet-domain';
import { Caller } from '../access/caller.decorator.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { ContractController } from '../operations/contract-controller.decorator.js';
import {
  changedResponse,
  createdResponse,
  pageResponse,
  PRIVATE_RESPONSE,
  readResponse,
} from '../operations/contract-responses.js';
import { IfMatch, type Precondition } from '../operations/if-match.decorator.js';
import { ContractOperation } from '../operations/operation.decorator.js';
import { Refusals } from '../operations/refusals.js';
import {
  CATEGORIES_RESOURCE,
  CREATE_CATEGORY,
  DELETE_CATEGORY,
  GET_CATEGORY,
  LIST_CATEGORIES,
  PUT_CATEGORY,
} from './categories.operations.js';
import { NewCategoryDto } from './category.dto.js';
import { CATEGORY_ERRORS } from './category.errors.js';
import { CategoryLinks } from './category-links.js';
import { ListCategoriesQuery } from './list-categories.query.js';

/** Injection token of the port that categories are kept behind. */
export const CATEGORY_STORE = Symbol('CategoryStore');

const REFUSALS = new Refusals([
  [CategoryNameTakenError, CATEGORY_ERRORS.category_name_taken],
  [CategoryInUseError, CATEGORY_ERRORS.category_in_use],
]);

@ContractController(CATEGORIES_RESOURCE)
export class CategoriesController {
  constructor(
    @Inject(CATEGORY_STORE) private readonly categories: CategoryStore,
    @Inject(Idempotency) private readonly idempotency: Idempotency,
    @Inject(CategoryLinks) private readonly links: CategoryLinks,
  ) {}

  @ContractOperation(LIST_CATEGORIES)
  async list(@QueryParameters(ListCategoriesQuery) query: ListCategoriesQuery): Promise<JsonResponse> {
    const request = ListCategoriesQuery.toPageRequest(query);
    const page = await this.categories.list(request);
    return pageResponse(page.json, this.links.page(request, page));
  }

  @ContractOperation(CREATE_CATEGORY)
  async create(
    @Caller() { keyId }: Caller,
    @IdempotencyKey() token: string | undefined,
    @JsonBody(NewCategoryDto) body: NewCategoryDto,
  ): Promise<JsonResponse> {
    const name = NewCategoryDto.toName(body);
    if (token === undefined) return this.created(await REFUSALS.of(this.categories.add(name)));
    const request = { caller: keyId, token, operation: CREATE_CATEGORY.id, input: { name } };
    return this.idempotency.run(request, async (transaction) =>
      this.created(await REFUSALS.of(this.categories.add(name, transaction))),
    );
  }

  @ContractOperation(GET_CATEGORY)
  async get(@Param('categoryId') text: string): Promise<JsonResponse> {
    const category = await this.categories.find(categoryIdOf(text));
    if (category === undefined) throw new ApiError(CATEGORY_ERRORS.category_not_found);
    return readResponse(category);
  }

  @ContractOperation(PUT_CATEGORY)
  async put(
    @Param('categoryId') text: string,
    @IfMatch({ creates: true }) precondition: Precondition,
    @JsonBody(NewCategoryDto) body: NewCategoryDto,
  ): Promise<JsonResponse> {
    const category = { id: categoryIdOf(text), name: NewCategoryDto.toName(body) };
    const outcome = await REFUSALS.of(
      this.categories.put(category, (current) => {
        precondition.requireFor(current && categoryJson(current));
      }),
    );
    if (outcome === 'created') return this.created(category);
    return changedResponse(categoryJson(category));
  }

  @ContractOperation(DELETE_CATEGORY)
  async delete(
    @Param('categoryId') text: string,
    @IfMatch() precondition: Precondition,
  ): Promise<EmptyResponse> {
    const wasThere = await REFUSALS.of(
      this.categories.remove(categoryIdOf(text), (current) => {
        precondition.requireFor(categoryJson(current));
      }),
    );
    if (!wasThere) throw new ApiError(CATEGORY_ERRORS.category_not_found);
    return new EmptyResponse(PRIVATE_RESPONSE);
  }

  private created(category: Category): JsonResponse {
    return createdResponse(categoryJson(category), this.links.category(category.id));
  }
}

function categoryIdOf(text: string): CategoryId {
  const id = CategoryId.parse(text);
  if (id === undefined) throw new ApiError(CATEGORY_ERRORS.category_not_found);
  return id;
}
