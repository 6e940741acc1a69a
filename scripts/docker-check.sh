#!/usr/bin/env bash
# Proves the Dockerfile on a machine without a Docker engine: builds the image with buildah on a stand-in for its base
# (debootstrap, and Node from npm's packages), looks at what is in it, and runs it as a container would be run.
# Run it as root, on Debian: apt-get install buildah debootstrap curl && npm run docker:check
# It needs about 4 GB of disk (in TMPDIR) and some minutes, and leaves nothing behind. It does not prove the real base
# image.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*"; }
fail() { printf 'docker:check: %s\n' "$*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail 'must run as root'
for tool in buildah debootstrap npm node curl unshare nsenter chroot pgrep; do
  command -v "$tool" >/dev/null || fail "$tool is missing"
done

work=$(mktemp -d)
started=()
cleanup() {
  local status=$?
  trap - EXIT
  for pid in "${started[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  [ "$status" = 0 ] || tail -n 20 "$work"/*.log >&2 2>/dev/null || true
  # The container's mounts have gone with its namespace; an interrupted debootstrap or build may have left some.
  { grep -o " $work/[^ ]*" /proc/mounts || true; } | sort -r | xargs -r umount --lazy
  rm -rf --one-file-system "$work"
  exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

build() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }

# --- the base ---------------------------------------------------------------------------------------------------------

# The name of a stage has no tag, so a name with a tag is an image to pull.
mapfile -t bases < <(sed -n 's/^FROM  *\([^ ]*:[^ ]*\).*/\1/p' Dockerfile | sort -u)
[ "${#bases[@]}" = 1 ] || fail "expected one base image in the Dockerfile, found: ${bases[*]-none}"
base=${bases[0]}
[[ $base =~ ^node:([0-9]+)[0-9.]*-([a-z]+)-slim$ ]] || fail "no stand-in is known for $base"
major=${BASH_REMATCH[1]} suite=${BASH_REMATCH[2]}

make_base() {
  local container root cafile
  container=$(build from scratch)
  root=$(build mount "$container")
  debootstrap --variant=minbase "$suite" "$root" >"$work/debootstrap.log"
  rm -rf "$root"/var/cache/apt/archives/*.deb
  chroot "$root" useradd --create-home node # the first user: 1000, as in the real image
  npm install --prefix "$work/node" --no-save --ignore-scripts \
    "node-linux-$(node -p process.arch)@$major" npm@11 >"$work/npm.log" 2>&1
  install -D "$work"/node/node_modules/node-linux-*/bin/node "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -R "$work/node/node_modules/npm" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  # This machine's npm registry settings, so that `npm ci` can reach it from inside.
  say "registry=$(npm config get registry 2>/dev/null)" >"$root/usr/local/etc/npmrc"
  cafile=$(npm config get cafile 2>/dev/null)
  if [ "$cafile" != null ]; then
    install -D -m 644 "$cafile" "$root$cafile"
    say "cafile=$cafile" >>"$root/usr/local/etc/npmrc"
  fi
  build config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  build commit --quiet "$container" "$base" >/dev/null
  build rm "$container" >/dev/null
}

say "making a stand-in for $base ..."
make_base
say 'building the image ...'
build bud --isolation chroot --format docker --pull-never --tag precis:check . >"$work/build.log" 2>&1
say 'ok: the image builds'

# --- what is in the image ---------------------------------------------------------------------------------------------

build inspect --type image precis:check >"$work/image.json"
# Prints the value of an expression in the image's configuration, with one line per item of a list.
config() {
  node -e 'const config = JSON.parse(fs.readFileSync(process.argv[1])).Docker.config
    const found = eval(process.argv[2])
    console.log(Array.isArray(found) ? found.join("\n") : found)' "$work/image.json" "$1"
}
root=$(build mount "$(build from --pull-never precis:check)")

found=$(find "$root/app" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | paste -sd ' ')
[ "$found" = 'dist examples package.json prompts' ] || fail "/app contains $found"
found=$(find "$root/app" \( -name '*.ts' -o -name '*.map' -o -name 'test*' -o -name '.*' -o -name cli \) -print -quit)
[ -z "$found" ] || fail "a file that is no part of the service is in the image: $found"
packages=$(grep -cE '^## [^ ]+ - [0-9][^ ]* \(' "$root/app/dist/licenses.md") || fail 'the licenses of the packages in the bundle are missing'
say "ok: /app contains dist (with $packages packages and their licenses), prompts and the examples of the API, and nothing else ($(du -sm "$root/app" | cut -f1) MB)"

found=$(find "$root/app" \( ! -user root -o -perm /022 \) ! -type l -print -quit)
[ -z "$found" ] || fail "the service could change $found"
user=$(config config.User)
[[ $user =~ ^[1-9][0-9]*:[1-9][0-9]*$ ]] || fail "the image's user is not a number other than 0: $user"
[ "$(config config.StopSignal)" = SIGTERM ] || fail 'the stop signal is not SIGTERM'
mapfile -t image_env < <(config config.Env)
mapfile -t command < <(config config.Cmd)
mapfile -t health < <(config 'config.Healthcheck.Test.slice(1)')
directory=$(config config.WorkingDir)
say "ok: user $user, who can change nothing of it; ${command[*]}"

# --- run it -----------------------------------------------------------------------------------------------------------

free_port() {
  node -e 'const server = net.createServer().listen(0, "127.0.0.1", () => {
    console.log(server.address().port)
    server.close()
  })'
}

# Waits up to ten seconds for a command to succeed.
await() {
  for _ in {1..100}; do "$@" >/dev/null 2>&1 && return; sleep 0.1; done
  fail "waited in vain for: $*"
}

# Starts the image as process 1 of its own namespaces: read-only root, no writable folder, the image's user, no
# capability. Arguments: variables, NAME=VALUE. Sets `url`, `runner` (exits as the service does) and `service`.
start() {
  local port
  port=$(free_port)
  url=http://127.0.0.1:$port
  environment=("${image_env[@]}" HOST=127.0.0.1 "PORT=$port" "$@")
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child sh -ec '
    root=$1 user=${2%:*} group=${2#*:} directory=$3; shift 3
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mount -o remount,bind,ro "$root"
    exec chroot "$root" setpriv --reuid="$user" --regid="$group" --clear-groups --inh-caps=-all --bounding-set=-all \
      --no-new-privs env --ignore-environment --chdir="$directory" "$@"
  ' container "$root" "$user" "$directory" "${environment[@]}" "${command[@]}" >>"$work/service.log" 2>&1 &
  runner=$!
  started+=("$runner")
  await curl --silent --fail "$url/healthz"
  service=$(pgrep --parent "$runner")
}

inside() { nsenter --target "$service" --mount --pid --root "$@"; }

# Ends the service with SIGTERM and stores its exit code in `status`.
stop() {
  kill -TERM "$service"
  status=0
  wait "$runner" || status=$?
}

start
grep -q "^Uid:	${user%:*}	${user%:*}	${user%:*}" "/proc/$service/status" || fail 'it runs as another user'
grep -q '^CapEff:	0*$' "/proc/$service/status" || fail 'it has capabilities'
grep -q '^NSpid:.*	1$' "/proc/$service/status" || fail 'it is not process 1'
for file in /app/x /tmp/x /home/node/x; do
  if inside sh -c ": >$file" 2>/dev/null; then fail "even root could write $file: the root is not read-only"; fi
done
say 'ok: it starts as process 1 on a read-only root, as that user, without capabilities'

inside --setuid "${user%:*}" --setgid "${user#*:}" env --ignore-environment "${environment[@]}" "${health[@]}" ||
  fail 'the HEALTHCHECK fails on a healthy service'
if inside env --ignore-environment "${environment[@]}" PORT=1 "${health[@]}"; then
  fail 'the HEALTHCHECK succeeds where nothing listens'
fi
say 'ok: the HEALTHCHECK distinguishes a healthy service from a dead one'

[ "$(curl --silent --output /dev/null --write-out '%{http_code}' "$url/readyz")" = 200 ] || fail '/readyz is not 200'
curl --silent --fail "$url/openapi.yaml" | cmp --silent - openapi.yaml || fail '/openapi.yaml is not the committed contract'
curl --silent --show-error --fail "$url/compaction" -H 'content-type: application/x-ndjson' \
  --data-binary @examples/session.jsonl --output "$work/reply.json"
saved=$(node -e 'const { summary, tokensBefore, tokensAfter } = JSON.parse(fs.readFileSync(process.argv[1]))
  if (!summary.includes("## Goal") || !(tokensAfter < tokensBefore)) process.exit(1)
  console.log(tokensBefore + " -> " + tokensAfter)' "$work/reply.json") || fail 'the example session was not compacted'
stop
[ "$status" = 0 ] || fail "SIGTERM to an idle service: exit code $status"
say "ok: /healthz and /readyz answer, POST /compaction compacts the example session ($saved tokens), SIGTERM ends it with 0"

model_port=$(free_port)
node -e '
  const reply = {
    id: "c", object: "chat.completion", created: 0, model: "slow", usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Written while draining." } }],
  }
  http.createServer((request, response) => {
    console.log("asked")
    response.setHeader("content-type", "application/json")
    request.resume().on("end", () => setTimeout(() => response.end(JSON.stringify(reply)), 2000))
  }).listen(Number(process.argv[1]), "127.0.0.1")' "$model_port" >"$work/model.log" 2>&1 &
started+=($!)
start "OPENAI_BASE_URL=http://127.0.0.1:$model_port/v1" PRECIS_MODEL=slow
curl --silent --show-error --fail "$url/compaction" -H 'content-type: application/json' -d '{"prompt": "Summarize."}' \
  --output "$work/drained.json" &
pending=$!
await grep asked "$work/model.log"
kill -TERM "$service"
sleep 0.5
code=0
curl --silent --output /dev/null "$url/healthz" || code=$?
[ "$code" = 7 ] || fail "a draining service still takes connections (curl: $code)"
wait "$pending" || fail 'the request under way was lost'
grep -q 'Written while draining' "$work/drained.json" || fail 'the request under way got another answer'
status=0
wait "$runner" || status=$?
[ "$status" = 0 ] || fail "after draining: exit code $status"
say 'ok: SIGTERM with a request under way: no new connection, the request is answered, exit code 0'
say 'docker:check: all is well'
