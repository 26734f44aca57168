# The servers and programs that tests need: sourced by .ci/run and .ci/night, which set `set -euo pipefail` first.
# TEST_POSTGRES_URL and TEST_MYSQL_URL name the servers to test on; without them throwaway servers are started (and
# installed first where they are missing), which need not wait for the disk.

work=$(mktemp -d)
cluster=''
mariadb=''

clean_up() {
  [ -z "$mariadb" ] || kill -9 "$(cat "$mariadb/pid" 2>/dev/null)" 2>/dev/null || true
  [ -z "$cluster" ] || as_postgres "$cluster/bin/pg_ctl" -D "$cluster/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$work" ${cluster:+"$cluster"} ${mariadb:+"$mariadb"}
}
trap clean_up EXIT

install_packages() {
  local as_root=''
  [ "$(id -u)" = 0 ] || as_root=sudo
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >"$work/apt.log" 2>&1 ||
    { cat "$work/apt.log" >&2; return 1; }
}

need_command() { command -v "$1" >/dev/null || install_packages "$2"; }

postgres_answers() { command -v psql >/dev/null && PGCONNECT_TIMEOUT=5 psql -X "$1" -Atc 'select 1' >/dev/null 2>&1; }

postgres_programs() { find /usr/lib/postgresql -maxdepth 2 -name bin -type d 2>/dev/null | sort -V | tail -n 1; }

# PostgreSQL refuses to run as root.
as_postgres() { if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi; }

# Tests of types of extensions use PostGIS; the acceptance suite skips its checks where the server lacks it.
install_postgis() {
  local version
  version=$(basename "$(dirname "$(postgres_programs)")")
  [ -f "/usr/share/postgresql/$version/extension/postgis.control" ] || install_packages "postgresql-$version-postgis-3"
}

start_postgres() {
  [ -n "$(postgres_programs)" ] || install_packages postgresql
  install_postgis
  cluster=$(mktemp -d)
  chmod 755 "$cluster"
  ln -s "$(postgres_programs)" "$cluster/bin"
  mkdir "$cluster/data" "$cluster/socket"
  [ "$(id -u)" != 0 ] || chown postgres "$cluster/data" "$cluster/socket"
  as_postgres "$cluster/bin/initdb" -D "$cluster/data" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 >/dev/null
  local port attempt
  for attempt in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 20000))
    if as_postgres "$cluster/bin/pg_ctl" -D "$cluster/data" -l "$cluster/data/server.log" -w start \
      -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$cluster/socket -c max_connections=300 -c fsync=off -c synchronous_commit=off -c full_page_writes=off" >/dev/null; then
      export TEST_POSTGRES_URL="postgres://postgres@127.0.0.1:$port/postgres"
      return 0
    fi
  done
  cat "$cluster/data/server.log" >&2
  return 1
}

start_mariadb() {
  [ -n "$(type -P mariadbd)" ] || install_packages mariadb-server
  mariadb=$(mktemp -d)
  local user attempt port
  user=$(id -un)
  mariadb-install-db --no-defaults --user="$user" --datadir="$mariadb/data" --auth-root-authentication-method=normal \
    --skip-test-db >"$mariadb/install.log" 2>&1 || { cat "$mariadb/install.log" >&2; return 1; }
  for attempt in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 20000))
    mariadbd --no-defaults --user="$user" --datadir="$mariadb/data" --bind-address=127.0.0.1 --port="$port" \
      --socket="$mariadb/socket" --pid-file="$mariadb/pid" --max-connections=300 --innodb-flush-log-at-trx-commit=0 \
      --innodb-doublewrite=0 --innodb-flush-method=nosync --debug-no-sync >"$mariadb/server.log" 2>&1 &
    if mariadb-admin --no-defaults --socket="$mariadb/socket" --user=root --wait=30 ping >/dev/null 2>&1; then
      export TEST_MYSQL_URL="mysql://root@127.0.0.1:$port/mysql"
      return 0
    fi
  done
  cat "$mariadb/server.log" >&2
  return 1
}

prepare() {
  need_command npm npm
  if [ -z "${TEST_POSTGRES_URL:-}" ] || ! postgres_answers "$TEST_POSTGRES_URL"; then start_postgres; fi
  [ -n "${TEST_MYSQL_URL:-}" ] || start_mariadb
  # wrk loads the service in the measurements of scale and in the benchmark.
  need_command wrk wrk
  # A real pooler for the checks of tain doctor; the program is in /usr/sbin.
  [ -x /usr/sbin/pgbouncer ] || need_command pgbouncer pgbouncer
  # Reads the metrics, and checks the alerts.
  need_command promtool prometheus
  # Redis, which tests kill and pause.
  need_command redis-server redis-server
  # An example is written with it.
  need_command curl curl
  # The browser of the tests of the admin app.
  need_command chromium chromium
  [ -z "${CI_BENCH:-}" ] || need_command psql postgresql-client
}

# Programs of the clusters that only the night starts.
prepare_clusters() {
  # The library of MariaDB clusters, and what their nodes copy data with.
  [ -f /usr/lib/galera/libgalera_smm.so ] || install_packages galera-4
  need_command rsync rsync
  # PostgreSQL with standbys, and what decides which of them is the primary.
  need_command patroni patroni
  need_command etcd etcd-server
  /usr/bin/python3 -c 'import etcd' 2>/dev/null || install_packages python3-etcd
  need_command haproxy haproxy
}
