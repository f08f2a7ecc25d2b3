package io.baton.testkit.etcd;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The status that one server reports.
 *
 * @param member its id
 * @param leader the id of the leader; zero if it has none
 * @param term its raft term
 * @param revision its revision
 */
record EtcdStatus(long member, long leader, long term, long revision) {

    private static final Pattern FIELD = Pattern.compile("^\"(\\w+)\" : (\\d+)$", Pattern.MULTILINE);

    /** Queries the one server of this client; empty if it does not answer. */
    static Optional<EtcdStatus> ask(Etcdctl ctl) {
        return ctl.attempt("endpoint", "status", "--write-out", "fields", "--command-timeout", "2s")
                .map(EtcdStatus::parse);
    }

    boolean leads() {
        return leader != 0 && leader == member;
    }

    static EtcdStatus parse(String fields) {
        return new EtcdStatus(
                number("MemberID", fields),
                number("Leader", fields),
                number("RaftTerm", fields),
                number("Revision", fields));
    }

    private static long number(String name, String fields) {
        Matcher each = FIELD.matcher(fields);
        while (each.find()) {
            if (each.group(1).equals(name)) {
                return Long.parseUnsignedLong(each.group(2));
            }
        }
        throw new IllegalArgumentException("no " + name + " in: " + fields);
    }
}
