#!/bin/sh
# Run once by the PostgreSQL image when it initializes its data: creates the database and its owner, which may create the
# role that the product serves as.
set -eu
psql --username postgres --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set "password=$DATABASE_PASSWORD" <<'SQL'
create role tributary login createrole password :'password';
create database tributary owner tributary;
SQL
