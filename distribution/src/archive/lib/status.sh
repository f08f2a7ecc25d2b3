# What a script that reads this file leaves when baton cannot be started: one line on stderr, the status EX_OSFILE, and
# its verdict in the file of --status-file. The script's own arguments are read, and verdict is what it sets it to.

# The file of --status-file, of the commands that have that option.
status_file=
case ${1:-} in
    lock | elect)
        previous=
        for argument in "$@"; do
            case $argument in --) break ;; esac
            case $previous in --status-file) status_file=$argument ;; esac
            case $argument in
                --status-file=*) status_file=${argument#*=} ;;
            esac
            previous=$argument
        done
        ;;
esac

# Replaces what an earlier run has left, which must not be taken for the verdict on this one: verdict, status, message.
write_status() {
    if [ -n "$status_file" ] && { [ -f "$status_file" ] || [ ! -e "$status_file" ]; }; then
        {
            printf 'verdict=%s\nstatus=%s\ncommand=\ntoken=\nmessage=%s\n' "$@" >"$status_file.$$" \
                && mv -f -- "$status_file.$$" "$status_file" || rm -f -- "$status_file.$$"
        } 2>/dev/null
    fi
}

fail() {
    printf 'baton: %s\n' "$*" >&2
    write_status "$verdict" 72 "$*"
    exit 72
}
