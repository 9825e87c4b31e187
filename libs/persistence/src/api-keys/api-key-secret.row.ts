import type { KeyHash, KeyId, KeySecret } from '@petstore/api-key';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One secret of a key in the table `api_key_secrets`; never the secret itself. */
@Entity('api_key_secrets')
export class ApiKeySecretRow {
  @PrimaryColumn('text')
  hash!: string;

  @Column('text', { name: 'pepper_id' })
  pepperId!: string;

  @Column('text', { name: 'key_id' })
  keyId!: string;

  @Column('text')
  prefix!: string;

  @Column('text', { name: 'last_four' })
  lastFour!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'valid_until', nullable: true })
  validUntil!: Date | null;
}

export function toSecret(row: ApiKeySecretRow): KeySecret {
  return {
    hash: row.hash as KeyHash,
    pepperId: row.pepperId,
    hint: { prefix: row.prefix, lastFour: row.lastFour },
    createdAt: row.createdAt,
    validUntil: row.validUntil ?? undefined,
  };
}

export function toSecretRow(keyId: KeyId, secret: KeySecret): ApiKeySecretRow {
  return {
    hash: secret.hash,
    pepperId: secret.pepperId,
    keyId,
    prefix: secret.hint.prefix,
    lastFour: secret.hint.lastFour,
    createdAt: secret.createdAt,
    validUntil: secret.validUntil ?? null,
  };
}
