import type { AuditAction, AuditEntry, KeyId } from '@petstore/api-key';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One change of a key in the table `api_key_audit`, which takes new rows and nothing else. */
@Entity('api_key_audit')
export class ApiKeyAuditRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text', { name: 'key_id' })
  keyId!: string;

  @Column('timestamptz')
  at!: Date;

  @Column('text')
  action!: AuditAction;

  @Column('text', { name: 'done_by' })
  by!: string;

  @Column('jsonb')
  details!: Record<string, string>;
}

export function toEntry({ keyId, at, action, by, details }: ApiKeyAuditRow): AuditEntry {
  return { keyId: keyId as KeyId, at, action, by, details };
}

export function toAuditRow({ keyId, at, action, by, details }: AuditEntry): Omit<ApiKeyAuditRow, 'id'> {
  return { keyId, at, action, by, details: { ...details } };
}
