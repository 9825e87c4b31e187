import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * One carried-out request in the table `add_requests`, with the animal as it was asked for. An animal does
 * not change after its creation, so that this and the id are the whole first answer.
 */
@Entity('add_requests')
@Index('add_requests_created_at', ['createdAt'])
export class AddRequestRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'add_requests_pkey' })
  caller!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'add_requests_pkey' })
  token!: string;

  @Column('bigint', { name: 'pet_id' })
  petId!: string;

  @Column('text')
  name!: string;

  @Column('bigint', { name: 'category_id' })
  categoryId!: string;

  @Column('text')
  status!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
