import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a key was last used and until when it is banned, in the table `api_key_activity`. */
@Entity('api_key_activity')
export class ApiKeyActivityRow {
  @PrimaryColumn('text', { name: 'key_id' })
  keyId!: string;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { name: 'banned_until', nullable: true })
  bannedUntil!: Date | null;
}
