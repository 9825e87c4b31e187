import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One animal in the table `pets`. A bigint arrives as its decimal digits and stays so. */
@Entity('pets')
@Index('pets_status_id', ['status', 'id'])
@Index('pets_category_status_id', ['categoryId', 'status', 'id'])
@Check('pets_id_positive', 'id >= 1')
@Check('pets_name_length', 'char_length(name) between 1 and 255')
@Check('pets_name_control', "name !~ '[\\x01-\\x1f\\x7f]'")
@Check('pets_name_blank', "name ~ '[^[:space:]]'")
@Check('pets_category_id_positive', 'category_id >= 1')
@Check('pets_status_known', "status in ('available', 'pending', 'sold')")
export class PetRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'pets_pkey',
  })
  id!: string;

  @Column('text')
  name!: string;

  @Column('bigint', { name: 'category_id' })
  categoryId!: string;

  @Column('text')
  status!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
