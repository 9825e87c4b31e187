import { Param } from '@nestjs/common';
import { ApiError, EmptyResponse, type JsonResponse } from '@petstore/http-kernel';
import { JsonBody, QueryParameters } from '@petstore/http-server';
import { CategoryStore } from '@petstore/persistence';
import { type Category, CategoryId, categoryJson } from '@petstore/pet-domain';
import { Caller } from '../access/caller.decorator.js';
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
import {
  CATEGORIES_RESOURCE,
  CREATE_CATEGORY,
  DELETE_CATEGORY,
  GET_CATEGORY,
  LIST_CATEGORIES,
  PUT_CATEGORY,
} from './categories.operations.js';
import { CategoriesService } from './categories.service.js';
import { NewCategoryDto } from './category.dto.js';
import { CATEGORY_ERRORS } from './category.errors.js';
import { CategoryLinks } from './category-links.js';
import { ListCategoriesQuery } from './list-categories.query.js';

/** The operations on categories (docs/contract.md, "Categories"). */
@ContractController(CATEGORIES_RESOURCE)
export class CategoriesController {
  constructor(
    private readonly categories: CategoryStore,
    private readonly service: CategoriesService,
    private readonly links: CategoryLinks,
  ) {}

  @ContractOperation(LIST_CATEGORIES)
  async list(@QueryParameters(ListCategoriesQuery) query: ListCategoriesQuery): Promise<JsonResponse> {
    const request = ListCategoriesQuery.toPageRequest(query);
    const page = await this.categories.list(request);
    return pageResponse(page.json, this.links.page(request, page));
  }

  @ContractOperation(CREATE_CATEGORY)
  create(
    @Caller() { keyId }: Caller,
    @IdempotencyKey() token: string | undefined,
    @JsonBody(NewCategoryDto) body: NewCategoryDto,
  ): Promise<JsonResponse> {
    const request = { caller: keyId, token, operation: CREATE_CATEGORY.id };
    return this.service.create(NewCategoryDto.toName(body), request, (category) => this.created(category));
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
    const name = NewCategoryDto.toName(body);
    const { category, isCreated } = await this.service.put(categoryIdOf(text), name, precondition);
    return isCreated ? this.created(category) : changedResponse(categoryJson(category));
  }

  @ContractOperation(DELETE_CATEGORY)
  async delete(
    @Param('categoryId') text: string,
    @IfMatch() precondition: Precondition,
  ): Promise<EmptyResponse> {
    await this.service.delete(categoryIdOf(text), precondition);
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
