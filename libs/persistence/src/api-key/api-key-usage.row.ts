import type { KeyDay } from '@petstore/api-key';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ApiKeyRow } from './api-key.row.js';

/** How often a key was used on one day (UTC), in the table `api_key_usage`. */
@Entity('api_key_usage')
@Index('api_key_usage_day', ['day'])
export class ApiKeyUsageRow {
  @PrimaryColumn('text', { name: 'key_id', primaryKeyConstraintName: 'api_key_usage_pkey' })
  keyId!: string;

  @ManyToOne(() => ApiKeyRow, { nullable: false })
  @JoinColumn({ name: 'key_id', foreignKeyConstraintName: 'api_key_usage_key' })
  key?: unknown;

  /** `YYYY-MM-DD`. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'api_key_usage_pkey' })
  day!: string;

  @Column('bigint')
  requests!: string;

  @Column('bigint')
  refused!: string;
}

export function toKeyDay({ day, requests, refused }: ApiKeyUsageRow): KeyDay {
  // No key makes 2^53 requests in a day.
  return { day, requests: Number(requests), refused: Number(refused) };
}
