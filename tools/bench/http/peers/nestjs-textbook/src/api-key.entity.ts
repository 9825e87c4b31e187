import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('bench_keys')
export class ApiKey {
  @PrimaryColumn('text')
  hash: string;

  @Column('text')
  id: string;

  @Column('integer', { name: 'per_minute' })
  perMinute: number;

  @Column('integer', { name: 'per_day' })
  perDay: number;
}
