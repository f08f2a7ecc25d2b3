package io.baton.etcd.inspect;

import io.baton.etcd.wire.Diagnosis;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.Finding;
import io.baton.spi.support.DurationText;
import io.etcd.jetcd.api.StatusResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Derives findings from the facts about members and their cluster. A pure function.
 *
 * @param ttl the time to live that clients request
 * @param bytes the size of Baton's largest requests
 * @param prefix the prefix of this client's keys
 * @param user whether the client has a user
 * @param now when the facts were read
 */
public record EtcdFindings(Duration ttl, int bytes, String prefix, boolean user, Instant now) {

    private static final Duration OFTEN = Duration.ofMinutes(1);
    private static final double NEARLY_FULL = 0.8;
    private static final long LONG_HISTORY = 1_000;

    /** The number of election timeouts within which a cluster mostly has another leader. */
    private static final int ELECTIONS = 3;

    private static final Pattern VERSION = Pattern.compile("3\\.(\\d{1,6})\\.(\\d{1,6})\\b.*");

    private static final String METRICS =
            "let this machine read /metrics (--admin-port, if it is at --listen-metrics-urls)";

    /** Returns the findings about these members and their cluster. {@code cluster} is empty if no member serves. */
    public List<Finding> of(List<MemberFacts> members, Optional<ClusterFacts> cluster) {
        List<MemberFacts> there =
                members.stream().filter(each -> each.status().isPresent()).toList();
        List<Finding> all = new ArrayList<>(contact(members, there, cluster));
        all.addAll(learners(there));
        cluster.ifPresent(facts -> all.add(size(members, facts)));
        all.addAll(versions(there));
        cluster.ifPresent(facts -> {
            all.add(lease(facts));
            all.addAll(alarms(facts));
            all.add(permissions(facts));
            all.add(request(facts));
            all.add(operations(facts));
        });
        there.forEach(each -> all.add(database(each, each.status().orElseThrow())));
        there.forEach(each -> all.add(compaction(each, each.status().orElseThrow())));
        there.forEach(each -> all.add(clock(each)));
        return all;
    }

    private static List<Finding> contact(
            List<MemberFacts> members, List<MemberFacts> there, Optional<ClusterFacts> cluster) {
        List<Finding> all = new ArrayList<>();
        members.forEach(each -> each.trouble().map(why -> trouble(each, why)).ifPresent(all::add));
        if (there.stream()
                        .map(each -> each.status().orElseThrow().getHeader().getClusterId())
                        .distinct()
                        .count()
                > 1) {
            all.add(Finding.problem(
                    "servers",
                    "the servers of the URI belong to different clusters: two clients may hold the same lock",
                    "name members of one cluster only"));
        }
        if (cluster.isEmpty()) {
            all.add(Finding.problem(
                    "quorum",
                    "no server of the URI answers a read that takes a quorum: locks cannot be acquired, and holds are being"
                            + " lost",
                    "start as many members as are a majority of the cluster, and let them reach each other"));
        } else if (all.isEmpty()) {
            all.add(Finding.ok("servers", "all servers of the URI serve (" + members.size() + ")"));
        }
        return all;
    }

    private static Finding trouble(MemberFacts member, Diagnosis why) {
        return member.leaderless()
                ? Finding.problem(
                        "leader",
                        member.server()
                                + " knows no leader: it is cut off from a majority of the members, or there is none",
                        "start the other members, and let them reach each other")
                : Finding.warning(
                        "servers", why.text(), "start it, or take it out of the URI; clients go on with the others");
    }

    private static List<Finding> learners(List<MemberFacts> there) {
        return there.stream()
                .filter(each -> each.role().filter("learner"::equals).isPresent())
                .map(each -> Finding.warning(
                        "learner",
                        each.server() + " is a learner: it refuses clients",
                        "promote it ('etcdctl member promote'), or take it out of the URI"))
                .toList();
    }

    private static Finding size(List<MemberFacts> servers, ClusterFacts cluster) {
        int voters = cluster.voters();
        if (voters == 0) {
            return Finding.unknown("cluster", "its list of members was refused", "");
        } else if (!cluster.learners().isEmpty()) {
            return Finding.warning(
                    "cluster",
                    "a member is a learner and does not vote: " + String.join(", ", cluster.learners()),
                    "promote it once it has caught up ('etcdctl member promote'), or remove it");
        } else if (voters == 1) {
            return Finding.warning(
                    "cluster",
                    "a single member: nothing works while it is down",
                    "run three members or more where that matters");
        } else if (voters == 2) {
            return Finding.warning(
                    "cluster", "two members: nothing works while one of them is down", "run three members");
        } else if (servers.size() < voters) {
            return Finding.warning(
                    "cluster",
                    "the URI names " + servers.size() + " of the cluster's " + voters + " members",
                    "name all of them, so that clients find another one when theirs is down");
        }
        int spare = (voters - 1) / 2;
        return Finding.ok(
                "cluster",
                voters + " members: it works while " + spare + " of them " + (spare == 1 ? "is" : "are") + " down");
    }

    private static List<Finding> versions(List<MemberFacts> there) {
        var different = new TreeSet<String>();
        there.forEach(each -> each.version().ifPresent(different::add));
        List<Finding> all = new ArrayList<>();
        List<String> old =
                different.stream().filter(each -> !readsWhenFull(each)).toList();
        if (!old.isEmpty()) {
            all.add(Finding.warning(
                    "version",
                    "etcd " + String.join(", ", old) + " refuses reads, too, once the database is full: all holds are"
                            + " lost then, and nothing can be released",
                    "run 3.4.20, 3.5.7 or newer"));
        }
        if (different.size() > 1) {
            all.add(Finding.warning(
                    "version",
                    "the members run different versions: " + String.join(", ", different),
                    "finish the upgrade"));
        }
        return all.isEmpty() && !different.isEmpty()
                ? List.of(Finding.ok("version", "etcd " + different.first()))
                : all;
    }

    /** Whether such a server lets Baton's reads, which are transactions, through a full quota (etcd 13435). */
    private static boolean readsWhenFull(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return true;
        }
        int minor = Integer.parseInt(parts.group(1));
        int patch = Integer.parseInt(parts.group(2));
        return minor > 5 || (minor == 5 && patch >= 7) || (minor == 4 && patch >= 20);
    }

    /** The shortest lease is one and a half election timeouts, in whole seconds. */
    private Finding lease(ClusterFacts cluster) {
        if (cluster.shortest().isEmpty()) {
            return Finding.unknown("timings", "no lease was granted to look at its time to live", "");
        }
        Duration shortest = cluster.shortest().get();
        Duration election = shortest.multipliedBy(2).dividedBy(3);
        String what = "the shortest lease lives for " + DurationText.of(shortest)
                + ", as of an election timeout of up to " + DurationText.of(election);
        if (shortest.compareTo(ttl) > 0) {
            return Finding.warning(
                    "timings",
                    what + "; clients ask for a ttl of " + DurationText.of(ttl)
                            + ": they get more, and the locks of a crashed client stay for longer",
                    "lower --election-timeout of the members, or ask for more");
        }
        return ttl.compareTo(election.multipliedBy(ELECTIONS)) < 0
                ? Finding.warning(
                        "timings",
                        what + "; clients ask for a ttl of " + DurationText.of(ttl)
                                + ": their holds may be lost while another leader is elected",
                        "ask for a ttl of " + DurationText.of(election.multipliedBy(ELECTIONS))
                                + " or more, or lower --election-timeout of the members")
                : Finding.ok("timings", what + "; clients ask for " + DurationText.of(ttl));
    }

    private static List<Finding> alarms(ClusterFacts cluster) {
        if (cluster.alarms().isEmpty()) {
            return List.of(
                    Finding.unknown("alarms", "the members do not tell which are on", "look at 'etcdctl alarm list'"));
        }
        List<String> on = cluster.alarms().get();
        return on.isEmpty()
                ? List.of(Finding.ok("alarms", "there are none"))
                : on.stream().map(EtcdFindings::alarm).toList();
    }

    private static Finding alarm(String alarm) {
        return alarm.equals("NOSPACE")
                ? Finding.problem(
                        "alarms",
                        "NOSPACE: the database has reached its quota, and the members refuse writes",
                        "compact ('etcdctl compact REVISION'), 'etcdctl defrag' each member, then 'etcdctl alarm disarm';"
                                + " or raise --quota-backend-bytes")
                : Finding.problem(
                        "alarms",
                        alarm + ": a member's data differs from that of the others",
                        "remove that member and add it anew, with an empty data directory");
    }

    private Finding permissions(ClusterFacts cluster) {
        if (cluster.refused().isEmpty() && cluster.failure().isPresent()) {
            return Finding.problem(
                    "writes",
                    "a write failed: " + cluster.failure().get(),
                    "clear the alarms, if there are any, and look into the members' logs");
        }
        String grant = user
                ? "give its user a role that may ('etcdctl role grant-permission --prefix=true ROLE readwrite " + prefix
                        + "')"
                : "name a user: BATON_ETCD_USER and BATON_ETCD_PASSWORD_FILE";
        if (!cluster.refused().isEmpty()) {
            return Finding.problem(
                    "permissions", "this client may not " + String.join(", nor ", cluster.refused()), grant);
        }
        return cluster.everything()
                ? Finding.ok("permissions", "this client may grant leases, and read and write below " + prefix)
                : Finding.warning(
                        "permissions",
                        "this client may grant leases, and read and write what Baton keeps for itself below " + prefix
                                + ", but not everything there: a program's records, and its configurations other than"
                                + " 'config', may be refused",
                        grant);
    }

    private Finding request(ClusterFacts cluster) {
        if (cluster.request().isEmpty()) {
            return Finding.unknown("requests", "how large a request may be could not be tried", "");
        }
        int takes = cluster.request().getAsInt();
        return takes >= bytes
                ? Finding.ok("requests", "the members take requests of " + takes + " bytes")
                : Finding.problem(
                        "requests",
                        "the members take requests of " + takes + " bytes, and not of " + 2 * takes
                                + ": larger values are refused",
                        "raise --max-request-bytes to 1572864, which is usual, or store less");
    }

    private static Finding operations(ClusterFacts cluster) {
        return cluster.operations()
                .map(enough -> enough
                        ? Finding.ok("transactions", "the members take as many operations as Baton asks for")
                        : Finding.problem(
                                "transactions",
                                "the members refuse transactions with many operations: large changes fail",
                                "raise --max-txn-ops to 128, which is usual"))
                .orElseGet(() ->
                        Finding.unknown("transactions", "how many operations one may have could not be tried", ""));
    }

    private static Finding database(MemberFacts member, StatusResponse status) {
        OptionalLong quota = member.metrics().map(MetricsText::quota).orElse(OptionalLong.empty());
        String has = member.server() + " has a database of " + mebibytes(status.getDbSize()) + ", "
                + mebibytes(status.getDbSizeInUse()) + " of it in use";
        if (quota.isEmpty() || quota.getAsLong() <= 0) {
            return Finding.unknown("database", has + "; it does not tell its quota", METRICS);
        }
        String what = has + ", and a quota of " + mebibytes(quota.getAsLong());
        if (status.getDbSize() < NEARLY_FULL * quota.getAsLong()) {
            return Finding.ok("database", what);
        }
        return Finding.warning(
                "database",
                what + ": when that is reached, writes are refused",
                status.getDbSizeInUse() < status.getDbSize() / 2
                        ? "'etcdctl defrag' that member, which then gives back what it does not use"
                        : "compact and defragment it, or raise --quota-backend-bytes");
    }

    private Finding compaction(MemberFacts member, StatusResponse status) {
        Optional<MetricsText> metrics = member.metrics();
        OptionalLong compacted = metrics.map(MetricsText::compacted).orElse(OptionalLong.empty());
        if (compacted.isEmpty()) {
            return Finding.unknown(
                    "compaction", member.server() + " does not tell how far its history has been compacted", METRICS);
        }
        long revision = status.getHeader().getRevision();
        // The member's clock may differ from this machine's.
        Optional<Duration> interval = metrics.flatMap(
                counts -> member.clock().flatMap(clock -> counts.compactionInterval(now.plus(clock.ahead()))));
        if (compacted.getAsLong() < 0 && revision > LONG_HISTORY) {
            return Finding.warning(
                    "compaction",
                    member.server() + " keeps all of " + revision
                            + " revisions: the database grows with every write, and"
                            + " reads of lines that are used often become slow",
                    "start the members with --auto-compaction-mode=periodic --auto-compaction-retention=1h");
        } else if (interval.filter(each -> each.compareTo(OFTEN) < 0).isPresent()) {
            return Finding.warning(
                    "compaction",
                    member.server() + " compacts its history every " + DurationText.of(interval.get())
                            + ": a client that was out of contact for longer reads everything anew",
                    "compact every few minutes or less often (--auto-compaction-retention)");
        }
        return Finding.ok(
                "compaction",
                member.server() + " keeps "
                        + (compacted.getAsLong() < 0
                                ? "all of " + revision + " revisions"
                                : "the last " + (revision - compacted.getAsLong()) + " of " + revision + " revisions"));
    }

    private static Finding clock(MemberFacts member) {
        return member.clock()
                .map(ClockReading::finding)
                .orElseGet(() -> Finding.unknown("clock", member.server() + " does not tell the time", ""));
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
    }
}
