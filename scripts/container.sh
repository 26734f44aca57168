#!/usr/bin/env bash
# Builds the image of the Dockerfile without a Docker daemon and without an image registry, starts it as the Dockerfile says
# and prints its sizes. For Debian, as root: the base image is made of Debian packages, Node and npm of this machine.
# Needs buildah, mmdebstrap and the network of `npm ci`. Prints "healthy" and fails unless the service answers.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
service=''
storage=(--storage-driver vfs --root "$work/storage" --runroot "$work/run")
clean_up() {
  # The program is a child of the shell that changed its root.
  if [ -n "$service" ]; then pkill -TERM -P "$service" || kill "$service" || true; wait "$service" || true; fi
  ! mountpoint -q "$work/root" || umount -R "$work/root"
  buildah "${storage[@]}" rm --all >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean_up EXIT

if [ -z "${BASE_TAR:-}" ]; then
  BASE_TAR="$work/base.tar"
  mmdebstrap --quiet --variant=essential --include=libstdc++6 --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' bookworm "$BASE_TAR"
fi

echo '── base'
base=$(buildah "${storage[@]}" from scratch)
npm_folder=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
buildah "${storage[@]}" add "$base" "$BASE_TAR" / >/dev/null
buildah "${storage[@]}" copy "$base" "$(node -p process.execPath)" /usr/local/bin/node >/dev/null
buildah "${storage[@]}" copy "$base" "$npm_folder" /usr/local/lib/node_modules/npm >/dev/null
buildah "${storage[@]}" run --isolation chroot "$base" -- \
  ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
buildah "${storage[@]}" commit --quiet --rm "$base" localhost/tain-base >/dev/null

echo '── image'
# The certificates of this machine are those that npm needs here.
buildah "${storage[@]}" build --isolation chroot --format docker --build-arg BASE=localhost/tain-base \
  ${NODE_EXTRA_CA_CERTS:+--build-arg "NODE_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS" --volume "$NODE_EXTRA_CA_CERTS:$NODE_EXTRA_CA_CERTS:ro"} \
  --tag localhost/tain .

echo '── start, with a read-only root file system and without root'
container=$(buildah "${storage[@]}" from localhost/tain)
port=$((20000 + RANDOM % 20000))
mkdir "$work/root"
mount --bind "$(buildah "${storage[@]}" mount "$container")" "$work/root"
mount -o remount,ro,bind "$work/root"
mount -t tmpfs tmpfs "$work/root/tmp"
mount -t proc proc "$work/root/proc"
setting() { buildah "${storage[@]}" inspect --type image --format "{{$1}}" localhost/tain; }
user=$(setting .Docker.Config.User)
[ "${user%%:*}" != 0 ] && [ -n "$user" ]
in_container() { chroot --userspec="$user" "$work/root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin NODE_ENV=production PORT="$port" "$@"; }
! in_container touch /app/written 2>/dev/null
in_container HOST=127.0.0.1 DATABASE_URL=sqlite:/tmp/tain.db SECRET=a-secret-of-this-run-that-is-long-enough \
  ADMIN_TOKEN=token-of-the-administrator node /app/node_modules/tain/bin/tain.js start >"$work/log" 2>&1 &
service=$!
health=$(sed -n '/^HEALTHCHECK/,/^ENTRYPOINT/ s/^  "\(.*\)"\]$/\1/p' Dockerfile)
for attempt in $(seq 60); do
  in_container node -e "$health" && break
  [ "$attempt" != 60 ] || { cat "$work/log" >&2; exit 1; }
  sleep 1
done
echo healthy

echo '── sizes'
buildah "${storage[@]}" push --quiet localhost/tain "docker-archive:$work/image.tar"
echo "uncompressed: $(($(stat -c %s "$work/image.tar") / 1000000)) MB"
buildah "${storage[@]}" push --quiet localhost/tain "oci:$work/oci:tain"
echo "compressed: $(($(du -sb "$work/oci" | cut -f1) / 1000000)) MB (at most 120)"
[ "$(du -sb "$work/oci" | cut -f1)" -le 120000000 ]
