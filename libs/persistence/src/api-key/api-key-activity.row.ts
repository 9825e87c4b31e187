import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ApiKeyRow } from './api-key.row.js';

/** When a key was last used and until when it is banned, in the table `api_key_activity`. */
@Entity('api_key_activity')
export class ApiKeyActivityRow {
  @PrimaryColumn('text', { name: 'key_id', primaryKeyConstraintName: 'api_key_activity_pkey' })
  keyId!: string;

  @ManyToOne(() => ApiKeyRow, { nullable: false })
  @JoinColumn({ name: 'key_id', foreignKeyConstraintName: 'api_key_activity_key' })
  key?: unknown;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { name: 'banned_until', nullable: true })
  bannedUntil!: Date | null;
}
