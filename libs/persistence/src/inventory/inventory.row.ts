import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How many animals there are of one status, in one category or in all (category 0), in the table `inventory`. */
@Entity('inventory')
@Index('inventory_empty', ['categoryId'], { where: 'animals = 0' })
export class InventoryRow {
  @PrimaryColumn('bigint', { name: 'category_id', primaryKeyConstraintName: 'inventory_pkey' })
  categoryId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'inventory_pkey' })
  status!: string;

  @Column('bigint')
  animals!: string;
}
