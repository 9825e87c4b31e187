import type { KeyHash, KeyId, KeySecret } from '@petstore/api-key';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ApiKeyRow } from './api-key.row.js';

/** One secret of a key in the table `api_key_secrets`; never the secret itself. */
@Entity('api_key_secrets')
@Index('api_key_secrets_key_id', ['keyId'])
@Index('api_key_secrets_in_force', ['keyId'], { unique: true, where: '(valid_until IS NULL)' })
@Index('api_key_secrets_written_in', ['writtenIn'])
export class ApiKeySecretRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'api_key_secrets_pkey' })
  hash!: string;

  @Column('text', { name: 'key_id' })
  keyId!: string;

  @ManyToOne(() => ApiKeyRow, { nullable: false })
  @JoinColumn({ name: 'key_id', foreignKeyConstraintName: 'api_key_secrets_key' })
  key?: unknown;

  @Column('text')
  prefix!: string;

  @Column('text', { name: 'last_four' })
  lastFour!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'valid_until', nullable: true })
  validUntil!: Date | null;

  /** Number of the transaction that wrote the hash, for the processes' filters. The default as TypeORM reads it: without casts. */
  @Column('bigint', { name: 'written_in', default: () => '((pg_current_xact_id()))', select: false })
  writtenIn!: string;
}

export function toSecret(row: ApiKeySecretRow): KeySecret {
  return {
    hash: row.hash as KeyHash,
    hint: { prefix: row.prefix, lastFour: row.lastFour },
    createdAt: row.createdAt,
    validUntil: row.validUntil ?? undefined,
  };
}

export function toSecretRow(keyId: KeyId, secret: KeySecret): Omit<ApiKeySecretRow, 'key' | 'writtenIn'> {
  return {
    hash: secret.hash,
    keyId,
    prefix: secret.hint.prefix,
    lastFour: secret.hint.lastFour,
    createdAt: secret.createdAt,
    validUntil: secret.validUntil ?? null,
  };
}
