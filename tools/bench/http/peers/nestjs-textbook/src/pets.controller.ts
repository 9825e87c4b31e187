import {
  Body,
  ClassSerializerInterceptor,
  Controller,
  Get,
  Param,
  Post,
  Query,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { CreatePetDto, ListPetsQuery } from './pet.dto.js';
import type { Pet } from './pet.entity.js';
import { PetsService } from './pets.service.js';

@Controller('v1/pets')
@UseInterceptors(ClassSerializerInterceptor)
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  async list(@Query() query: ListPetsQuery, @Res({ passthrough: true }) response: Response): Promise<Pet[]> {
    const found = await this.pets.list(query);
    const page = found.slice(0, query.limit);
    const link = linkOf(query, page.at(-1)?.id, found.length > query.limit);
    if (link !== '') response.set('Link', link);
    return page;
  }

  @Get(':petId')
  get(@Param('petId') id: string): Promise<Pet> {
    return this.pets.get(id);
  }

  @Post()
  async create(@Body() dto: CreatePetDto, @Res({ passthrough: true }) response: Response): Promise<Pet> {
    const pet = await this.pets.create(dto);
    response.location(`/v1/pets/${pet.id}`);
    return pet;
  }
}

function linkOf({ limit, status, cursor }: ListPetsQuery, last: number | undefined, more: boolean): string {
  const list = `/v1/pets?limit=${limit}${status === undefined ? '' : `&status=${status}`}`;
  return [
    ...(more ? [`<${list}&cursor=${last}>; rel="next"`] : []),
    ...(cursor === undefined ? [] : [`<${list}>; rel="first"`]),
  ].join(', ');
}
