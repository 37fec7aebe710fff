#!/bin/sh
# The database and its logins, as docs/operations.md recommends: `parley` owns the schema and migrates, `parley_server` is what the
# server works as and owns nothing. Neither is a superuser. PostgreSQL's image runs this once, on an empty volume.
set -eu
psql --username "${POSTGRES_USER:-postgres}" --set ON_ERROR_STOP=1 \
  --set owner="$DATABASE_OWNER_PASSWORD" --set server="$DATABASE_SERVER_PASSWORD" << 'SQL'
create role parley_app nologin;
create role parley login createrole in role parley_app password :'owner';
create role parley_server login in role parley_app password :'server';
create database parley owner parley;
SQL
