# `sudo` and `systemctl`, as far as the pages for operators use them, for a machine of machines.ts, in which no systemd runs. The units are
# those of Debian's packages. Read by bash before the commands of a page.
sudo() {
  if [ "$1" = -u ]; then
    local user=$2
    shift 2
    local home
    home=$(getent passwd "$user" | cut -d: -f6)
    (cd / && HOME=$home setpriv --reuid="$user" --regid="$user" --init-groups "$@")
  else
    "$@"
  fi
}

start_unit() {
  case $1 in
    etcd) (
      set -a
      . /etc/default/etcd
      ETCD_DATA_DIR=/var/lib/etcd/default
      sudo -u etcd setsid /usr/bin/etcd
    ) ;;
    patroni) sudo -u postgres setsid /usr/bin/patroni /etc/patroni/config.yml ;;
    haproxy) setsid /usr/sbin/haproxy -db -f /etc/haproxy/haproxy.cfg ;;
  esac >>"$MACHINE_LOG" 2>&1 </dev/null &
}

stop_unit() {
  pkill -TERM -x "$1" || return 0
  while pgrep -x "$1" >/dev/null; do sleep 0.1; done
}

systemctl() {
  case $1 in
    start) start_unit "$2" ;;
    stop) stop_unit "$2" ;;
    restart) stop_unit "$2" && start_unit "$2" ;;
    *) echo "systemctl $* is not known here" >&2 && return 1 ;;
  esac
}
