import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { EmptyResponse, JsonResponse } from '@petstore/http-server';
import { CategoryId } from '@petstore/pet-domain';
import { Caller } from '../access/caller.decorator.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { type Precondition, WritePrecondition } from '../operations/precondition.decorator.js';
import { Operation, Resource } from '../operations/declare-operation.js';
import { idIn } from '../operations/path-ids.js';
import {
  changedResponse,
  createdResponse,
  emptyResponse,
  pageResponse,
  readResponse,
} from '../operations/responses.js';
import { CATEGORIES, CATEGORY_ID, DOGS, NEW_CATEGORY } from './categories.docs.js';
import { CategoriesService } from './categories.service.js';
import { ListCategoriesQuery, NewCategoryDto } from './category.dto.js';
import { CATEGORY_ERRORS } from './category.errors.js';

/** The operations on categories (docs/contract.md, "Categories"). */
@Controller('v1/categories')
@Resource(CATEGORIES)
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Get()
  @Operation({
    id: 'listCategories',
    summary: 'List categories',
    description:
      'Returns a paginated list of categories, the greatest id first. While others follow, the response carries a `Link` header with `rel="next"`.',
    since: '1.1.0',
    scope: 'pets:read',
    isPaged: true,
    isConditional: true,
    success: {
      status: 200,
      description: 'One page of categories.',
      schema: 'Categories',
      example: [DOGS, { id: 3, name: 'Cats' }],
    },
  })
  async list(@Caller() caller: Caller, @Query() query: ListCategoriesQuery): Promise<JsonResponse> {
    return pageResponse(await this.categories.list(query, caller));
  }

  @Post()
  @Operation({
    id: 'createCategory',
    summary: 'Add a category',
    description:
      'Adds a category under an id that neither a category nor an animal has. To name an id that animals already have, use `PUT`. With an `Idempotency-Key` the request may be sent again without harm.',
    since: '1.1.0',
    scope: 'categories:write',
    isIdempotent: true,
    body: NEW_CATEGORY,
    success: {
      status: 201,
      description: 'The created category, including the assigned id.',
      schema: 'Category',
      example: DOGS,
    },
    errors: [CATEGORY_ERRORS.category_name_taken],
  })
  async create(
    @Body() { name }: NewCategoryDto,
    @IdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<JsonResponse> {
    return createdResponse(await this.categories.create(name, key));
  }

  @Get(':categoryId')
  @Operation({
    id: 'getCategory',
    summary: 'Get a category',
    description: 'Returns a single category.',
    since: '1.1.0',
    scope: 'pets:read',
    params: [CATEGORY_ID],
    isConditional: true,
    success: { status: 200, description: 'The category.', schema: 'Category', example: DOGS },
    errors: [CATEGORY_ERRORS.category_not_found],
  })
  async get(@Caller() caller: Caller, @Param('categoryId') categoryId: string): Promise<JsonResponse> {
    return readResponse(await this.categories.find(categoryIdIn(categoryId), caller));
  }

  @Put(':categoryId')
  @Operation({
    id: 'putCategory',
    summary: 'Add a category under an id, or rename it',
    description:
      'Adds a category under this id, whether animals already have it or not, or renames the one that exists. With `If-None-Match: *` it only adds. To send the same name again changes nothing.',
    since: '1.1.0',
    scope: 'categories:write',
    params: [CATEGORY_ID],
    isGuarded: true,
    body: NEW_CATEGORY,
    success: {
      status: 200,
      description: 'The category existed; it has this name now.',
      schema: 'Category',
      example: DOGS,
    },
    alternatives: [
      { status: 201, description: 'The category has been added.', schema: 'Category', example: DOGS },
    ],
    errors: [CATEGORY_ERRORS.category_name_taken, CATEGORY_ERRORS.category_not_found],
  })
  async put(
    @Param('categoryId') categoryId: string,
    @Body() { name }: NewCategoryDto,
    @WritePrecondition() precondition: Precondition,
  ): Promise<JsonResponse> {
    const { json, location } = await this.categories.put(categoryIdIn(categoryId), name, precondition);
    return location === undefined ? changedResponse(json) : createdResponse({ json, location });
  }

  @Delete(':categoryId')
  @HttpCode(204)
  @Operation({
    id: 'deleteCategory',
    summary: 'Remove a category',
    description: 'Removes a category that no animal has.',
    since: '1.1.0',
    scope: 'categories:write',
    params: [CATEGORY_ID],
    isGuarded: true,
    success: { status: 204, description: 'The category has been removed.' },
    errors: [CATEGORY_ERRORS.category_not_found, CATEGORY_ERRORS.category_in_use],
  })
  async delete(
    @Param('categoryId') categoryId: string,
    @WritePrecondition() precondition: Precondition,
  ): Promise<EmptyResponse> {
    await this.categories.delete(categoryIdIn(categoryId), precondition);
    return emptyResponse();
  }
}

function categoryIdIn(text: string): CategoryId {
  return idIn(CategoryId, text, CATEGORY_ERRORS.category_not_found);
}
