#!/bin/sh
# Run once by the image of PostgreSQL, when it makes its files: the owner of the database, who may make the role that the
# product serves as.
set -eu
psql --username postgres --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set "password=$DATABASE_PASSWORD" <<'SQL'
create role tributary login createrole password :'password';
create database tributary owner tributary;
SQL
