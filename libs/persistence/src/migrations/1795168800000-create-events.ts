import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/**
 * The tables of events, and the counters of animals that are kept by them. The feed begins empty.
 *
 * Animals are counted while nobody writes any: about a second for a million. Earlier versions go on working, but what
 * they change from then on is in no event and in no counter: docs/operations.md, "Upgrade".
 */
export class CreateEvents1795168800000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'CreateEvents1795168800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table outbox (
        id bigint generated always as identity (cache 1) constraint outbox_pkey primary key,
        type text not null,
        resource text not null,
        audience text,
        data text not null,
        happened_at timestamptz not null default now()
      )`);
    // A queue: what is removed must not slow down whoever looks for the oldest row.
    await runner.query(`
      alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_cost_delay = 0)`);
    await runner.query(`
      create table events (
        position bigint constraint events_pkey primary key,
        type text not null,
        resource text not null,
        audience text,
        json text not null,
        happened_at timestamptz not null
      )`);
    await runner.query('create index events_resource on events (resource, position)');
    await runner.query(
      'create index events_audience on events (audience, position) where audience is not null',
    );
    await runner.query(`
      create table event_head (
        one boolean default true constraint event_head_pkey primary key constraint event_head_one check (one),
        position bigint not null,
        first bigint not null,
        constraint event_head_order check (first >= 0 and position >= first)
      )`);
    await runner.query('insert into event_head (position, first) values (0, 0)');
    await runner.query(`
      create table inventory (
        category_id bigint not null,
        status text not null,
        animals bigint not null,
        constraint inventory_pkey primary key (category_id, status)
      )`);
    await runner.query('create index inventory_empty on inventory (category_id) where animals = 0');
    await runner.query('lock table pets in share mode');
    await runner.query(`
      insert into inventory (category_id, status, animals)
        select coalesce(category_id, 0), status, count(*) from pets
        group by grouping sets ((category_id, status), (status))`);
  }
}
