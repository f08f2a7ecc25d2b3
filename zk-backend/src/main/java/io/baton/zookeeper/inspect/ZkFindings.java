package io.baton.zookeeper.inspect;

import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.Finding;
import io.baton.spi.support.DurationText;
import io.baton.zookeeper.wire.ServerQuestions;
import io.baton.zookeeper.wire.ZkAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.ZooDefs;

/**
 * What follows from facts about servers and their ensemble. A pure function.
 *
 * @param address of the store
 * @param ttl what clients ask for
 * @param least the shortest ttl that works with servers of this tickTime
 */
public record ZkFindings(ZkAddress address, Duration ttl, UnaryOperator<Duration> least) {

    private static final double NEARLY_ALL = 0.8;
    private static final int FEW_CONNECTIONS = 10;
    private static final String RAISE = "raise it, or delete it ('setquota', 'delquota' of zkCli.sh)";

    /** Of these servers, and of the ensemble as a session sees it; empty without a session. */
    public List<Finding> of(List<ServerFacts> servers, Optional<EnsembleFacts> ensemble) {
        List<Finding> all = new ArrayList<>(contact(servers, ensemble));
        List<ServerFacts> serving = servers.stream().filter(ServerFacts::serves).toList();
        List<SrvrAnswer> said =
                serving.stream().flatMap(each -> each.srvr().stream()).toList();
        all.addAll(observers(serving, said));
        ensemble.ifPresent(facts -> all.add(size(servers, facts)));
        all.addAll(versions(serving, said, ensemble));
        serving.forEach(each -> all.add(tick(each)));
        serving.forEach(each -> all.add(limits(each)));
        all.addAll(grants(serving));
        serving.forEach(each -> all.add(packet(each)));
        serving.forEach(each -> all.add(connections(each)));
        ensemble.ifPresent(facts -> {
            all.addAll(permissions(facts));
            all.addAll(quotas(facts));
            all.add(clock(facts));
        });
        return all;
    }

    private List<Finding> contact(List<ServerFacts> servers, Optional<EnsembleFacts> ensemble) {
        List<Finding> all = new ArrayList<>();
        servers.forEach(each -> each.trouble()
                .ifPresent(why -> all.add(Finding.warning(
                        "servers", why.text(), "start it, or take it out of the URI; clients go on with the others"))));
        if (ensemble.isEmpty()) {
            all.add(Finding.problem(
                    "quorum",
                    "no server of the URI gives a session: locks cannot be acquired, and holds are being lost",
                    "start as many servers as are a majority of the ensemble, and let them reach each other"));
        } else if (all.isEmpty()) {
            all.add(Finding.ok("servers", "all servers of the URI serve (" + servers.size() + ")"));
        }
        return all;
    }

    private static List<Finding> observers(List<ServerFacts> serving, List<SrvrAnswer> said) {
        boolean allSaid = !said.isEmpty() && said.size() == serving.size();
        return allSaid && said.stream().allMatch(says -> says.mode().equals("observer"))
                ? List.of(Finding.warning(
                        "observers",
                        "all servers of the URI are observers: each commit goes to a voter first, and without them there is no"
                                + " contact though the ensemble works",
                        "name voters in the URI, too"))
                : List.of();
    }

    private static Finding size(List<ServerFacts> servers, EnsembleFacts ensemble) {
        int voters = ensemble.voters();
        int all = voters + ensemble.observers();
        if (all == 0 && !servers.stream().allMatch(ServerFacts::isStandalone)) {
            return Finding.unknown(
                    "ensemble",
                    "which servers are its members cannot be read (" + ZooDefs.CONFIG_NODE + ")",
                    "let this client read that node");
        } else if (servers.size() > 1 && all == 0) {
            return Finding.problem(
                    "ensemble",
                    "the servers of the URI are single ones: two clients may hold the same lock",
                    "name servers of one ensemble only");
        } else if (all <= 1) {
            return Finding.warning(
                    "ensemble",
                    "a single server: nothing works while it is down",
                    "run three servers or more where that matters");
        } else if (voters == 2) {
            return Finding.warning(
                    "ensemble", "two servers vote: nothing works while one of them is down", "run three voters");
        } else if (servers.size() < all) {
            return Finding.warning(
                    "ensemble",
                    "the URI names " + servers.size() + " of the ensemble's " + all + " servers",
                    "name all of them, so that clients find another one when theirs is down");
        }
        return Finding.ok(
                "ensemble",
                voters + " servers vote: it works while " + (voters - 1) / 2 + " of them "
                        + ((voters - 1) / 2 == 1 ? "is" : "are") + " down");
    }

    private static List<Finding> versions(
            List<ServerFacts> serving, List<SrvrAnswer> said, Optional<EnsembleFacts> ensemble) {
        List<Finding> all = new ArrayList<>();
        serving.forEach(each -> each.srvr()
                .filter(says -> !says.atLeast(3, 6))
                .ifPresent(says -> all.add(Finding.problem(
                        "version",
                        each.server() + " runs ZooKeeper " + says.version()
                                + ", which lacks persistent recursive watches (3.6), or even container nodes (3.5)",
                        "run 3.6 or later, better a version that is maintained"))));
        if (ensemble.filter(facts -> !facts.containers()).isPresent()) {
            all.add(Finding.problem(
                    "version", "the servers have no container nodes", "run ZooKeeper 3.6 or later on all servers"));
        }
        var different = new TreeSet<String>();
        said.forEach(says -> different.add(says.version()));
        if (different.size() > 1) {
            all.add(Finding.warning(
                    "version",
                    "the servers run different versions: " + String.join(", ", different),
                    "finish the upgrade"));
        } else if (said.size() < serving.size()) {
            all.add(Finding.unknown("version", "servers do not answer 'srvr'", allow("srvr")));
        } else if (all.isEmpty() && !said.isEmpty()) {
            all.add(Finding.ok("version", "ZooKeeper " + different.first()));
        }
        return all;
    }

    private Finding tick(ServerFacts server) {
        Duration here = address.tick();
        String uri = "the URI says " + DurationText.of(here);
        if (server.conf().isPresent()) {
            Duration there = server.conf().get().tick();
            String what = server.server() + " has a tickTime of " + DurationText.of(there) + ", and " + uri;
            if (there.compareTo(here) > 0) {
                return Finding.problem(
                        "tick", what + ": a hold may seem valid for longer than it is", "write " + option(there));
            }
            return there.equals(here)
                    ? Finding.ok(
                            "tick", server.server() + " has a tickTime of " + DurationText.of(there) + ", as " + uri)
                    : Finding.warning(
                            "tick",
                            what + ": the shortest ttl is " + DurationText.of(least.apply(here)) + " where "
                                    + DurationText.of(least.apply(there)) + " would do",
                            "write " + option(there));
        }
        Optional<Duration> likely = server.likelyTick();
        if (likely.isPresent() && !likely.get().equals(here)) {
            return Finding.warning(
                    "tick",
                    server.server() + " does not tell its tickTime; its session limits are those of "
                            + DurationText.of(likely.get()) + ", and " + uri,
                    "look at the server's configuration, and write " + option(likely.get()) + " if it is so");
        } else if (likely.isPresent()) {
            return Finding.ok(
                    "tick",
                    server.server() + " has the session limits of a tickTime of " + DurationText.of(here) + ", as "
                            + uri);
        }
        return Finding.unknown(
                "tick",
                server.server()
                        + " does not tell its tickTime: it is not allowed to answer 'conf', and has no admin server"
                        + " that can be reached",
                "compare it with the " + DurationText.of(here) + " of the URI, or " + allow("conf"));
    }

    private static String allow(String word) {
        return "add '" + word + "' to 4lw.commands.whitelist of the servers";
    }

    private static String option(Duration tick) {
        return "?tick=" + tick.toMillis() + "ms in the URI of all clients";
    }

    private Finding limits(ServerFacts server) {
        if (server.shortest().isEmpty() || server.longest().isEmpty()) {
            return Finding.unknown(
                    "session limits", server.server() + " gave no session to look at its limits", "try again");
        }
        Duration shortest = server.shortest().get();
        Duration longest = server.longest().get();
        Duration needed = least.apply(address.tick());
        String grants = server.server() + " grants sessions of " + DurationText.of(shortest) + " to "
                + DurationText.of(longest);
        if (longest.compareTo(needed) < 0) {
            return Finding.problem(
                    "session limits",
                    grants + ", and Baton needs " + DurationText.of(needed) + " with a tick of "
                            + DurationText.of(address.tick()) + ": clients cannot connect",
                    "raise maxSessionTimeout, or lower tickTime and write it into the URI");
        } else if (longest.compareTo(ttl) < 0) {
            return Finding.warning(
                    "session limits",
                    grants + ", and clients ask for a ttl of " + DurationText.of(ttl) + ": they get less",
                    "raise maxSessionTimeout to " + ttl.toMillis() + ", or ask for less");
        } else if (shortest.compareTo(ttl) > 0 || needed.compareTo(ttl) > 0) {
            return Finding.warning(
                    "session limits",
                    grants + (needed.compareTo(ttl) > 0 ? ", Baton needs " + DurationText.of(needed) : "")
                            + ", and clients ask for a ttl of " + DurationText.of(ttl)
                            + ": they get more, and the locks of a crashed client stay for longer",
                    "lower minSessionTimeout and tickTime, or ask for more");
        }
        return Finding.ok("session limits", grants + "; clients ask for " + DurationText.of(ttl));
    }

    /** A session that moves to a server that grants less ends sooner than its client knows, until it hears of that. */
    private List<Finding> grants(List<ServerFacts> serving) {
        Duration needed = least.apply(address.tick());
        Duration asked = needed.compareTo(ttl) > 0 ? needed : ttl;
        var granted = new TreeSet<Duration>();
        serving.forEach(each -> each.granted(asked).ifPresent(granted::add));
        return granted.size() < 2
                ? List.of()
                : List.of(Finding.warning(
                        "session limits",
                        "for a ttl of " + DurationText.of(asked) + " one server grants "
                                + DurationText.of(granted.first()) + " and another one "
                                + DurationText.of(granted.last())
                                + ": a hold may seem valid for longer than it is, after its session has moved to the"
                                + " first",
                        "give all servers the same tickTime, minSessionTimeout and maxSessionTimeout, or clients a ttl"
                                + " that all of them grant"));
    }

    private static Finding packet(ServerFacts server) {
        if (server.packet().isEmpty()) {
            return Finding.unknown("packets", server.server() + " hung up when asked for its limit", "try again");
        }
        int reads = server.packet().getAsInt();
        return reads >= ServerQuestions.USUAL_PACKET
                ? Finding.ok("packets", server.server() + " reads packets of " + reads + " bytes")
                : Finding.problem(
                        "packets",
                        server.server() + " reads packets of " + reads + " bytes, and not of " + (2 * reads + 1)
                                + ": a larger value ends the connection, and with it the contact of all holds",
                        "raise jute.maxbuffer of the servers to " + ServerQuestions.USUAL_PACKET + ", or store less");
    }

    private static Finding connections(ServerFacts server) {
        if (server.conf().isEmpty() || server.conf().get().maxClientCnxns().isEmpty()) {
            return Finding.unknown("connections", server.server() + " does not tell its maxClientCnxns", allow("conf"));
        }
        int most = server.conf().get().maxClientCnxns().getAsInt();
        String what = server.server() + " takes " + (most == 0 ? "any number of" : String.valueOf(most))
                + " connections from one address"
                + server.srvr()
                        .map(says -> ", and has " + says.connections() + " in all")
                        .orElse("");
        return most > 0 && most < FEW_CONNECTIONS
                ? Finding.warning(
                        "connections",
                        what + "; each process needs one, and another one while it reconnects",
                        "raise maxClientCnxns if many processes run on one machine, or behind one address")
                : Finding.ok("connections", what);
    }

    private List<Finding> permissions(EnsembleFacts ensemble) {
        if (!ensemble.refused().isEmpty()) {
            return List.of(Finding.problem(
                    "permissions",
                    "this client may not " + String.join(", nor ", ensemble.refused()),
                    "set the credentials (BATON_ZK_DIGEST_USER, BATON_ZK_DIGEST_PASSWORD_FILE), or change the ACL there"
                            + " with setAcl"));
        } else if (ensemble.missing()) {
            return List.of(
                    address.create()
                            ? Finding.ok("path", address.root() + " is not there; the first client makes it")
                            : Finding.problem(
                                    "path",
                                    address.root() + " is not there, and create=no in the URI",
                                    "make it, or write create=yes"));
        }
        return List.of(
                ensemble.containers()
                        ? Finding.ok(
                                "permissions", "this client may create, read, write and delete below " + address.root())
                        : Finding.unknown(
                                "permissions",
                                "they show by a write of a container node, which the servers do not have",
                                "run newer servers"));
    }

    private static List<Finding> quotas(EnsembleFacts ensemble) {
        List<Finding> all = new ArrayList<>();
        if (!ensemble.full().isEmpty()) {
            all.add(Finding.problem(
                    "quotas",
                    "a quota forbids to create below " + String.join(", and below ", ensemble.full()),
                    RAISE));
        }
        ensemble.quotas().forEach(quota -> all.add(quota(quota)));
        return all.isEmpty() ? List.of(Finding.ok("quotas", "there are none on the path")) : all;
    }

    private static Finding quota(QuotaState quota) {
        String refused = ": servers that enforce quotas refuse what goes beyond it";
        if (quota.hardShare() >= 1) {
            return Finding.problem("quotas", quota + refused, RAISE);
        }
        return quota.hard() || quota.share() >= NEARLY_ALL
                ? Finding.warning("quotas", quota + (quota.hard() ? refused : ""), RAISE)
                : Finding.ok("quotas", quota.toString());
    }

    private static Finding clock(EnsembleFacts ensemble) {
        return ensemble.clock()
                .map(ClockReading::finding)
                .orElseGet(
                        () -> Finding.unknown("clock", "the leader's clock shows by a write, which was refused", ""));
    }
}
