import {
  Body,
  ClassSerializerInterceptor,
  Controller,
  Get,
  Injectable,
  NotFoundException,
  Param,
  Post,
  Query,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsEnum, IsInt, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';
import type { Response } from 'express';
import { Column, Entity, Index, LessThan, PrimaryGeneratedColumn, type Repository } from 'typeorm';

export enum PetStatus {
  Available = 'available',
  Pending = 'pending',
  Sold = 'sold',
}

@Entity('pets')
@Index('pets_status_id', ['status', 'id'])
@Exclude()
export class Pet {
  // PostgreSQL sends a bigint as text.
  @Expose()
  @Transform(({ value }) => Number(value))
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: number;

  @Expose()
  @Column('text')
  name: string;

  @Expose()
  @Transform(({ value }) => Number(value))
  @Column('bigint', { name: 'category_id' })
  categoryId: number;

  @Expose()
  @Column('text')
  status: PetStatus;
}

export class ListPetsQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  @IsOptional()
  @IsEnum(PetStatus)
  status?: PetStatus;

  @IsOptional()
  @Matches(/^[1-9]\d{0,17}$/)
  cursor?: string;
}

export class CreatePetDto {
  @IsString()
  @Length(1, 255)
  @Matches(/\S/)
  name: string;

  @IsInt()
  @Min(1)
  categoryId: number;

  @IsEnum(PetStatus)
  status: PetStatus = PetStatus.Available;
}

@Injectable()
export class PetsService {
  constructor(@InjectRepository(Pet) private readonly pets: Repository<Pet>) {}

  /** One more than the limit, which says whether there is another page. */
  list({ limit, status, cursor }: ListPetsQuery): Promise<Pet[]> {
    const id = cursor === undefined ? undefined : LessThan(cursor as unknown as number);
    return this.pets.find({
      where: { ...(status && { status }), ...(id && { id }) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
  }

  async get(id: string): Promise<Pet> {
    const pet = await this.pets.findOneBy({ id: id as unknown as number });
    if (pet === null) throw new NotFoundException();
    return pet;
  }

  create(dto: CreatePetDto): Promise<Pet> {
    return this.pets.save(this.pets.create(dto));
  }
}

@Controller('v1/pets')
@UseInterceptors(ClassSerializerInterceptor)
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  async list(@Query() query: ListPetsQuery, @Res({ passthrough: true }) response: Response): Promise<Pet[]> {
    const found = await this.pets.list(query);
    const page = found.slice(0, query.limit);
    const list = `/v1/pets?limit=${query.limit}${query.status === undefined ? '' : `&status=${query.status}`}`;
    const links = [];
    if (found.length > query.limit) links.push(`<${list}&cursor=${page.at(-1)?.id}>; rel="next"`);
    if (query.cursor !== undefined) links.push(`<${list}>; rel="first"`);
    if (links.length > 0) response.set('Link', links.join(', '));
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
