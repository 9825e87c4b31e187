#!/bin/sh
# Run by the PostgreSQL image once, on an empty volume: makes the two roles and gives them their passwords.
set -eu

psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --single-transaction \
  --file /petstore/roles.sql
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set owner="$POSTGRES_OWNER_PASSWORD" --set service="$POSTGRES_SERVICE_PASSWORD" <<'SQL'
alter role petstore_owner password :'owner';
alter role petstore_service password :'service';
SQL
