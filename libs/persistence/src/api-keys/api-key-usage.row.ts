import type { KeyDay } from '@petstore/api-key';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often a key was used on one day (UTC), in the table `api_key_usage`. */
@Entity('api_key_usage')
export class ApiKeyUsageRow {
  @PrimaryColumn('text', { name: 'key_id' })
  keyId!: string;

  /** `YYYY-MM-DD`. */
  @PrimaryColumn('date')
  day!: string;

  @Column('bigint')
  requests!: string;

  @Column('bigint')
  refused!: string;
}

export function toKeyDay({ day, requests, refused }: Omit<ApiKeyUsageRow, 'keyId'>): KeyDay {
  // No key makes 2^53 requests in a day.
  return { day, requests: Number(requests), refused: Number(refused) };
}
