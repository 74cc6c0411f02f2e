# Runs a server and sends it the signals that are named, one a line, on standard input. The other end of that pipe is
# held by a JVM: when it ends, however it ends, the pipe closes, and the server is killed and its folder removed.
#
# usage: supervisor.sh FOLDER LOG COMMAND...
# Prints the server's process id, and ends with the server's exit status.
folder=$1 log=$2
shift 2
# A signal to the whole process group, such as a timeout sends, must not end the supervisor. TERM and HUP are caught and not
# ignored, since the server would inherit that, and Java does not listen to what it finds ignored.
trap '' INT PIPE
trap : TERM HUP
exec 3<&0
"$@" 3<&- </dev/null >>"$log" 2>&1 &
server=$!
trap '' TERM HUP # so that the watcher ignores them from its first moment
(
  while read -r signal <&3; do kill -s "$signal" "$server"; done
  trap '' USR1
  kill -s KILL "$server"
  exit 3
) >/dev/null 2>&1 &
watcher=$!
trap : TERM HUP
exec 3<&- 2>/dev/null
echo "$server"
exec >/dev/null
while
  wait "$server"
  status=$?
  kill -s 0 "$server" 2>/dev/null # it was the wait that a signal ended
do :; done
kill -s USR1 "$watcher"
wait "$watcher"
if [ $? = 3 ]; then rm -rf "$folder"; fi
exit "$status"
