# Finds Java 17 or newer for the script that reads this file: sets java, java_major and java_build, or calls the script's
# fail with what is missing and, from java_wanted, what to do.

if [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/java" ]; then
    java=$JAVA_HOME/bin/java
else
    java=$(command -v java) || fail "no Java found: $java_wanted"
fi
java=$(readlink -f "$java" 2>/dev/null || printf '%s' "$java")

# A Java says in a file of its own what it is; to ask one that does not takes as long as the start of a JVM.
java_version=
java_build=
if [ -r "${java%/bin/java}/release" ]; then
    while IFS='=' read -r key value; do
        value=${value#\"}
        case $key in
            JAVA_VERSION) java_version=${value%\"} ;;
            JAVA_RUNTIME_VERSION) java_build=${value%\"} ;;
        esac
    done <"${java%/bin/java}/release"
fi
if [ -z "$java_version" ]; then
    java_version=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
fi
java_major=${java_version#1.}
java_major=${java_major%%[!0-9]*}
[ -n "$java_major" ] || fail "cannot tell the version of $java: $java_wanted"
[ "$java_major" -ge 17 ] || fail "$java is Java $java_major: $java_wanted"
java_build=$(printf '%s' "${java_build:-$java_version}" | tr -c 'A-Za-z0-9.+-' _)
