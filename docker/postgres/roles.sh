#!/bin/sh
# Makes a role for Assay, with its database, and one for Temporal, which makes its own. Neither is superuser: neither reads files or starts
# programs. The superuser loses its password, so that it is let in from inside this container alone. PostgreSQL's image runs this once,
# when the volume is empty.
set -eu

# By the environment and psql's variables: arguments can be read by every process of the machine.
ASSAY_DATABASE_PASSWORD=$(cat "$ASSAY_DATABASE_PASSWORD_FILE")
export ASSAY_DATABASE_PASSWORD TEMPORAL_DATABASE_PASSWORD

psql --set ON_ERROR_STOP=1 --no-psqlrc --quiet --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv assay_password ASSAY_DATABASE_PASSWORD
\getenv temporal_password TEMPORAL_DATABASE_PASSWORD
CREATE ROLE assay LOGIN PASSWORD :'assay_password';
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal_password';
CREATE DATABASE assay OWNER assay;
REVOKE CONNECT ON DATABASE assay FROM PUBLIC;
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL
