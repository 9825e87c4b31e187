import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** One category in the table `categories`. */
@Entity('categories')
@Unique('categories_name_key', ['nameKey'])
@Check('categories_id_positive', 'id >= 1')
export class CategoryRow {
  @PrimaryColumn('bigint', {
    primaryKeyConstraintName: 'categories_pkey',
    generated: 'identity',
    generatedIdentity: 'BY DEFAULT',
  })
  id!: string;

  @Column('text')
  name!: string;

  /** What no two categories have in common. */
  @Column('text', { name: 'name_key' })
  nameKey!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
