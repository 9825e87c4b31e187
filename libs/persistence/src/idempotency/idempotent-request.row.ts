import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One request that was carried out, with its first answer, in the table `idempotent_requests`. */
@Entity('idempotent_requests')
@Index('idempotent_requests_created_at', ['createdAt'])
@Check('idempotent_requests_fingerprint', 'octet_length(fingerprint) = 32')
@Check('idempotent_requests_status', 'status between 100 and 599')
export class IdempotentRequestRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotent_requests_pkey' })
  caller!: string;

  /** See `keptToken`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotent_requests_pkey' })
  token!: string;

  @Column('text')
  operation!: string;

  /** SHA-256 of the input. */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column('smallint')
  status!: number;

  @Column('text', { nullable: true })
  location!: string | null;

  @Column('text', { nullable: true })
  etag!: string | null;

  @Column('text', { nullable: true })
  body!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
