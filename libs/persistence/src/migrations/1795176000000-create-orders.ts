import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/**
 * The table of adoption orders. There is no foreign key to animals: orders outlive those that are removed.
 *
 * Safe while earlier versions run, which do not know it: they cannot change animals.
 */
export class CreateOrders1795176000000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'CreateOrders1795176000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table orders (
        id bigint generated always as identity constraint orders_pkey primary key,
        pet_id bigint not null,
        key_id text not null constraint orders_key_id_fkey references api_keys (id),
        status text not null constraint orders_status_known check (
          status in ('placed', 'approved', 'delivered', 'returned', 'cancelled', 'declined', 'expired')),
        reference text,
        reason text,
        placed_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        expires_at timestamptz,
        constraint orders_expiry check ((status in ('placed', 'approved')) = (expires_at is not null))
      )`);
    await runner.query(`
      create unique index orders_active_pet on orders (pet_id) where status in ('placed', 'approved', 'delivered')`);
    await runner.query('create index orders_key on orders (key_id, id)');
    await runner.query('create index orders_key_status on orders (key_id, status, id)');
    await runner.query('create index orders_status on orders (status, id)');
    await runner.query('create index orders_pet on orders (pet_id, id)');
    await runner.query('create index orders_due on orders (expires_at) where expires_at is not null');
  }
}
