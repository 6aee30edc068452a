#!/bin/sh
# EpilogSlurmctld hook: asks the attribution service which node made a job fail.
#
# It never holds up slurmctld and never fails: everything happens in a process of its own, and the exit code is 0
# whatever becomes of it. It changes nothing in Slurm. Needs curl; settings are read from the file named below:
#
#   ATTRIBUTION_URL=http://127.0.0.1:8000      where the service listens
#   ATTRIBUTION_ANSWERS=/var/log/attribution   folder for answers, one file a job; empty: answers go to syslog alone
#   ATTRIBUTION_TIMEOUT_MS=10000               how long the service may take
#   ATTRIBUTION_DELAY_S=5                      how long to wait for logs that are still on their way
#   ATTRIBUTION_TOKEN_FILE=/etc/...            file of the bearer token, of mode 0600, where the service wants one
#   ATTRIBUTION_CA_FILE=/etc/...               PEM file of the authority of an https service that the system does not trust
#   SLURM_CONF=/opt/slurm/etc/slurm.conf       only where Slurm's configuration is not in its usual place

settings=${ATTRIBUTION_HOOK_SETTINGS:-/etc/attribution-adapter/slurm-hook.conf}
ATTRIBUTION_URL=http://127.0.0.1:8000
ATTRIBUTION_ANSWERS=
ATTRIBUTION_TIMEOUT_MS=10000
ATTRIBUTION_DELAY_S=5
ATTRIBUTION_TOKEN_FILE=
ATTRIBUTION_CA_FILE=
# shellcheck disable=SC1090
[ -r "$settings" ] && . "$settings"
PATH=${PATH:-/usr/sbin:/usr/bin:/sbin:/bin}
export PATH
[ -n "$SLURM_CONF" ] && export SLURM_CONF

# What goes into JSON: letters, digits and a few signs, so that no name of a job can break out of its quotes.
plain() {
  printf '%s' "$1" | tr -cd 'A-Za-z0-9_.:@+-' | cut -c 1-200
}

# A whole number, or 0.
number() {
  digits=$(printf '%s' "$1" | tr -cd '0-9' | cut -c 1-9)
  printf '%s' "${digits:-0}"
}

stamp() {
  case $1 in
    '' | *[!0-9]*) date -u '+%Y-%m-%dT%H:%M:%SZ' ;;
    *) date -u -d "@$1" '+%Y-%m-%dT%H:%M:%SZ' ;;
  esac
}

# Nodes as a JSON list; empty where they cannot be told, and then the service asks Slurm itself.
nodes() {
  scontrol show hostnames "$SLURM_JOB_NODELIST" 2>/dev/null |
    awk '/^[A-Za-z0-9_.-]+$/ { printf "%s\"%s\"", (count++ ? "," : ""), $0 }'
}

# A job that lost a node may still have the exit code 0; then its state decides, once Slurm has cleaned up after it.
failed() {
  [ "${SLURM_JOB_EXIT_CODE:-0}" = 0 ] || return 0
  [ "${SLURM_JOB_DERIVED_EC:-0}" = 0 ] || return 0
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
    state=$(scontrol -o show job "$SLURM_JOB_ID" 2>/dev/null)
    case $state in
      *JobState=COMPLETING*Reason=NodeDown*) return 0 ;;
      *JobState=COMPLETING*) sleep 5 ;;
      *) break ;;
    esac
  done
  printf '%s' "$state" | grep -Eq 'JobState=(FAILED|NODE_FAIL|BOOT_FAIL|OUT_OF_MEMORY|TIMEOUT|DEADLINE)'
}

job_id() {
  if [ -n "$SLURM_ARRAY_JOB_ID" ] && [ -n "$SLURM_ARRAY_TASK_ID" ]; then
    plain "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
  else
    plain "$SLURM_JOB_ID"
  fi
}

# What is wrong with the file of the token; nothing where it can be used.
token_mistake() {
  if [ ! -f "$ATTRIBUTION_TOKEN_FILE" ] || [ ! -r "$ATTRIBUTION_TOKEN_FILE" ]; then
    printf 'cannot be read: give %s a file that it may read' "$(id -un)"
  elif [ -n "$(find -L "$ATTRIBUTION_TOKEN_FILE" -perm /077)" ]; then
    printf 'can be read by others: chmod 600 it'
  fi
}

# What curl is to send beside the rest. On no command line, where every process could read it.
token_config() {
  [ -z "$ATTRIBUTION_TOKEN_FILE" ] ||
    printf 'header = "authorization: Bearer %s"\n' "$(tr -cd 'A-Za-z0-9._~+/=-' <"$ATTRIBUTION_TOKEN_FILE")"
}

# Sends the body from standard input; prints what comes, or what went wrong.
post() {
  if [ -n "$ATTRIBUTION_TOKEN_FILE" ] && [ -n "$(token_mistake)" ]; then
    printf 'not asked: ATTRIBUTION_TOKEN_FILE %s %s' "$ATTRIBUTION_TOKEN_FILE" "$(token_mistake)"
    return
  fi
  set -- -sS --max-time "$(($(number "$ATTRIBUTION_TIMEOUT_MS") / 1000 + 10))"
  [ -z "$ATTRIBUTION_CA_FILE" ] || set -- "$@" --cacert "$ATTRIBUTION_CA_FILE"
  curl "$@" --config /dev/fd/3 -H 'content-type: application/json' --data-binary @- \
    "$ATTRIBUTION_URL/v1/attribution" 2>&1 3<<CONFIG
$(token_config)
CONFIG
}

ask() {
  failed || return 0
  sleep "$ATTRIBUTION_DELAY_S"
  id=$(job_id)
  end=$(stamp "$SLURM_JOB_END_TIME")
  body=$(printf '{"schema_version":"0.1.0","workload_id":"%s","scope":{"nodes":[%s]},' "$id" "$(nodes)"
    printf '"failure_context":{"detected_at":"%s","detection_signal":"error"},' "$end"
    printf '"timeout_ms":%s,' "$(number "$ATTRIBUTION_TIMEOUT_MS")"
    printf '"workload_context":{"workflow_id":"%s","attempt_index":%s,"job_end_time":"%s"},' \
      "$(plain "${SLURM_JOB_NAME:-$id}")" "$(number "$SLURM_JOB_RESTART_COUNT")" "$end"
    printf '"phase":"fast","user_id":"%s"}' "$(plain "$SLURM_JOB_USER")")
  answer=$(printf '%s' "$body" | post)
  if [ -n "$ATTRIBUTION_ANSWERS" ]; then
    printf '%s\n' "$answer" >"$ATTRIBUTION_ANSWERS/$id.json"
  fi
  command -v logger >/dev/null 2>&1 &&
    logger -t attribution-hook "job $id: $(printf '%s' "$answer" | tr -d '\n' | cut -c 1-900)"
}

# slurmctld kills the process group of its script once that has ended. So the script waits until a session of its own is
# there, and only in that session is anything started that lasts.
case $1 in
  ask) ask ;;
  detach) "$0" ask & ;;
  *) setsid "$0" detach ;;
esac </dev/null >/dev/null 2>&1
exit 0
