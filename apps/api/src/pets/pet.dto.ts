import { Documented, type JsonNumber } from '@petstore/http-kernel';
import type { CategoryId, NewPet, PetName } from '@petstore/pet-domain';
import { PetStatus } from '@petstore/pet-domain';
import {
  CategoryIdProperty,
  IdProperty,
  NameProperty,
  NewStatusProperty,
  StatusProperty,
} from './pet.properties.js';

/** The body of a creation as it arrived (specification, section 2, NewPet). */
@Documented(({ ApiSchema }) => ApiSchema({ name: 'NewPet', description: 'An animal to be added.' }))
export class NewPetDto {
  @NameProperty()
  name: unknown;

  @CategoryIdProperty()
  categoryId: unknown;

  @NewStatusProperty()
  status: unknown;

  /** What a valid body asks for. */
  static toNewPet({ name, categoryId, status }: NewPetDto): NewPet {
    return {
      name: name as PetName,
      categoryId: (categoryId as JsonNumber).toDigits() as CategoryId,
      status: (status as PetStatus | undefined) ?? PetStatus.DEFAULT,
    };
  }
}

/** An animal as it is answered (specification, section 2, Pet). Documents `petJson`. */
@Documented(({ ApiSchema }) => ApiSchema({ name: 'Pet', description: 'An animal available for adoption.' }))
export class PetDto {
  @IdProperty()
  id!: string;

  @NameProperty()
  name!: string;

  @CategoryIdProperty()
  categoryId!: string;

  @StatusProperty()
  status?: PetStatus;
}
