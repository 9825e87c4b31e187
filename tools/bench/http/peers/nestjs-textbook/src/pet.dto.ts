import { Type } from 'class-transformer';
import { IsEnum, IsInt, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';
import { PetStatus } from './pet.entity.js';

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
