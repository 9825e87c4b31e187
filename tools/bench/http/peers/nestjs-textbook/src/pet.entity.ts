import { Exclude, Expose, Transform } from 'class-transformer';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

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
