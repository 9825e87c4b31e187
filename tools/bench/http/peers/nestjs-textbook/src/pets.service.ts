import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { CreatePetDto, ListPetsQuery } from './pet.dto.js';
import { Pet } from './pet.entity.js';

@Injectable()
export class PetsService {
  constructor(@InjectRepository(Pet) private readonly pets: Repository<Pet>) {}

  /** One more than asked for, which tells whether there is another page. */
  list({ limit, status, cursor }: ListPetsQuery): Promise<Pet[]> {
    return this.pets.find({
      where: {
        ...(status === undefined ? {} : { status }),
        ...(cursor === undefined ? {} : { id: LessThan(cursor as unknown as number) }),
      },
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
