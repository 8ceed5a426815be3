#!/bin/sh
# Creates the role and the database of the servers. The role has no special rights: row-level security applies to it.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$DRAWBRIDGE_DB_PASSWORD" --username postgres <<'SQL'
create role drawbridge login password :'password';
create database drawbridge owner drawbridge;
SQL
