/**
 * SQL that empties the tables, as after the migration of an empty database, but those of API keys. It takes them from the
 * database: a table that a migration adds is emptied, too.
 */
export const EMPTY_TABLES = `
  do $$ begin
    -- First: so the sequencer of a running service is at work on nothing.
    update event_head set position = 0, first = 0;
    execute (
      select 'truncate ' || string_agg(format('%I', tablename), ', ') || ' restart identity cascade' from pg_tables
      where schemaname = 'public' and tablename !~ '^(api_key.*|schema_migrations|event_head|scheduled_jobs)$'
    );
  end $$`;
