import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import type { EmptyResponse, JsonResponse } from '@petstore/http-server';
import { CategoryId } from '@petstore/pet-domain';
import {
  IdempotencyKey,
  type Precondition,
  WritePrecondition,
} from '../operations/request-headers.decorator.js';
import { Operation, Resource } from '../operations/operation.decorator.js';
import { idIn } from '../operations/path-id.js';
import {
  changedResponse,
  createdResponse,
  emptyResponse,
  pageResponse,
  readResponse,
} from '../operations/responses.js';
import { CATEGORIES, CATEGORY_OPERATIONS } from './categories.docs.js';
import { CategoriesService } from './categories.service.js';
import { ListCategoriesQuery, NewCategoryDto } from './category.dto.js';
import { CATEGORY_ERRORS } from './categories.docs.js';

/** The operations on categories (docs/contract.md, "Categories"). */
@Controller('v1/categories')
@Resource(CATEGORIES)
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Get()
  @Operation(CATEGORY_OPERATIONS.listCategories)
  async list(@Query() query: ListCategoriesQuery): Promise<JsonResponse> {
    return pageResponse(await this.categories.list(query));
  }

  @Post()
  @Operation(CATEGORY_OPERATIONS.createCategory)
  async create(
    @Body() { name }: NewCategoryDto,
    @IdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<JsonResponse> {
    return createdResponse(await this.categories.create(name, key));
  }

  @Get(':categoryId')
  @Operation(CATEGORY_OPERATIONS.getCategory)
  async get(@Param('categoryId') categoryId: string): Promise<JsonResponse> {
    return readResponse(await this.categories.find(categoryIdIn(categoryId)));
  }

  @Put(':categoryId')
  @Operation(CATEGORY_OPERATIONS.putCategory)
  async put(
    @Param('categoryId') categoryId: string,
    @Body() { name }: NewCategoryDto,
    @WritePrecondition() precondition: Precondition,
  ): Promise<JsonResponse> {
    const { json, location } = await this.categories.put(categoryIdIn(categoryId), name, precondition);
    return location === undefined ? changedResponse(json) : createdResponse({ json, location });
  }

  @Delete(':categoryId')
  @Operation(CATEGORY_OPERATIONS.deleteCategory)
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
