#!/bin/sh
# The part of the image postgres that the deployments rely on: POSTGRES_USER, POSTGRES_DB and POSTGRES_PASSWORD create the
# database, unless PGDATA has one.
set -eu
if [ "$(id -u)" = 0 ]; then
  chown postgres "$PGDATA"
  chmod 700 "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 \
    --locale=C.UTF-8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl start --wait --options="-c listen_addresses= -c unix_socket_directories=/tmp"
  [ "$POSTGRES_DB" = postgres ] || createdb --host=/tmp --username="$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl stop --wait
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/tmp
