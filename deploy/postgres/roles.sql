-- Two roles for the service's database. petstore_owner owns the schema and runs the migrations. petstore_service is what
-- the service and the operator's tool connect as: it reads and writes rows, and can change nothing else that lasts.
--
-- Run it as a superuser, connected to the database of the service:
--   psql --single-transaction --set ON_ERROR_STOP=1 --file deploy/postgres/roles.sql petstore
-- then give both a password, which psql asks for and sends hashed:
--   \password petstore_owner
--   \password petstore_service
--
-- Where one role has done both until now:  alter role <that role> rename to petstore_owner;  then run this.
--
-- It may be run again at any time. Run it once more after the migrations: only then are there tables on which
-- petstore_service is to have less than the others.

do $$
begin
  if not exists (select from pg_roles where rolname = 'petstore_owner') then
    create role petstore_owner;
  end if;
  if not exists (select from pg_roles where rolname = 'petstore_service') then
    create role petstore_service;
  end if;
  -- Taking a superuser's rights away could leave a server without any.
  if exists (select from pg_roles where rolname in ('petstore_owner', 'petstore_service') and rolsuper) then
    raise exception 'petstore_owner and petstore_service must not be superusers';
  end if;
  -- What every role is given of the database.
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to petstore_owner, petstore_service', current_database());
end $$;

alter role petstore_owner login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role petstore_service login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;

revoke all on schema public from public;
grant usage, create on schema public to petstore_owner;
grant usage on schema public to petstore_service;

-- Tables that a later migration makes, and their sequences: the service draws ids of categories itself, and "npm run events --
-- restart" lifts all ids after a restore.
alter default privileges for role petstore_owner in schema public
  grant select, insert, update, delete on tables to petstore_service;
alter default privileges for role petstore_owner in schema public grant usage, update on sequences to petstore_service;
-- The database's own functions stay; those of the schema are triggers, which need no right to fire.
alter default privileges for role petstore_owner revoke execute on functions from public;

-- Tables that are there already, with less where less is enough: the list of migrations is only read, and the audit
-- of keys only grows. petstore_service owns no table, so that it cannot take the audit's trigger away either.
grant select, insert, update, delete on all tables in schema public to petstore_service;
grant usage, update on all sequences in schema public to petstore_service;
do $$
begin
  if to_regclass('public.schema_migrations') is not null then
    revoke insert, update, delete on public.schema_migrations from petstore_service;
  end if;
  if to_regclass('public.api_key_audit') is not null then
    revoke update, delete on public.api_key_audit from petstore_service;
  end if;
end $$;
