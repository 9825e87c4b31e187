import type { AuditAction, AuditEntry, KeyId } from '@petstore/api-key';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { ApiKeyRow } from './api-key.row.js';

/** One change of a key in the table `api_key_audit`, which takes new rows and nothing else. */
@Entity('api_key_audit')
@Index('api_key_audit_key_id', ['keyId', 'id'])
@Check('api_key_audit_action_known', "action in ('created', 'updated', 'rotated', 'revoked', 'unbanned')")
export class ApiKeyAuditRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'api_key_audit_pkey',
  })
  id!: string;

  @Column('text', { name: 'key_id' })
  keyId!: string;

  @ManyToOne(() => ApiKeyRow, { nullable: false })
  @JoinColumn({ name: 'key_id', foreignKeyConstraintName: 'api_key_audit_key' })
  key?: unknown;

  @Column('timestamptz')
  at!: Date;

  @Column('text')
  action!: AuditAction;

  @Column('text', { name: 'done_by' })
  by!: string;

  @Column('jsonb')
  details!: Record<string, string>;
}

export function toEntry(row: ApiKeyAuditRow): AuditEntry {
  return {
    keyId: row.keyId as KeyId,
    at: row.at,
    action: row.action,
    by: row.by,
    details: row.details,
  };
}

export function toAuditRow(entry: AuditEntry): Omit<ApiKeyAuditRow, 'id' | 'key'> {
  const { keyId, at, action, by, details } = entry;
  return { keyId, at, action, by, details: { ...details } };
}
