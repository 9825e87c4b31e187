import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** One import of animals, in the table `pet_imports`. Kept for good: what is imported once is not imported again. */
@Entity('pet_imports')
@Check('pet_imports_fingerprint', 'octet_length(fingerprint) = 32')
@Check('pet_imports_counts', 'animals between 0 and records')
export class PetImportRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pet_imports_pkey' })
  token!: string;

  /** SHA-256 of the file. */
  @Column('bytea')
  fingerprint!: Buffer;

  /** Records of the file that are done, those that were left out included. */
  @Column('bigint', { default: 0 })
  records!: string;

  /** Animals that were added. */
  @Column('bigint', { default: 0 })
  animals!: string;

  @Column('timestamptz', { name: 'started_at', default: () => 'now()' })
  startedAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
