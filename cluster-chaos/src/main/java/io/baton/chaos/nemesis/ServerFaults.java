package io.baton.chaos.nemesis;

import io.baton.chaos.nemesis.Disruption.Strike;
import io.baton.chaos.nemesis.Disruption.Struck;
import io.baton.chaos.servers.ServerCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** What can happen to servers; more often to the leader than to others. */
final class ServerFaults {

    private interface Choice {
        int pick() throws InterruptedException;
    }

    private final ServerCluster servers;
    private final Spans spans;
    private final Random random;

    ServerFaults(ServerCluster servers, Spans spans, Random random) {
        this.servers = servers;
        this.spans = spans;
        this.random = random;
    }

    /** One maker for each kind. */
    List<Supplier<Disruption>> makers() {
        List<Supplier<Disruption>> makers = new ArrayList<>(List.of(
                () -> fault("leader killed", killed(servers::leader)),
                () -> fault("server killed", killed(this::any)),
                () -> fault("two servers killed", killed(2)),
                () -> fault("all servers killed", killed(servers.members().size())),
                () -> fault("leader frozen", frozen(servers::leader)),
                () -> new Disruption("leader frozen for long", spans.between(1.2, 2.5), frozen(servers::leader)),
                () -> fault("server frozen", frozen(this::any)),
                () -> fault("leader cut off", cutOff(servers::leader)),
                () -> fault("server cut off", cutOff(this::any)),
                () -> new Disruption("follower cut off for long", spans.between(1.5, 2.5), cutOff(this::follower)),
                () -> fault("link of two servers cut", linkCut()),
                () -> fault("leader not heard", notHeard(servers::leader)),
                () -> fault("leader deaf", deaf(servers::leader)),
                () -> fault("link of two servers cut one way", linkCutOneWay())));
        if (servers.hasWallClocks()) {
            makers.add(() -> fault("server's wall clock moved", clockMoved(WallJumps.any(spans, random))));
        }
        return makers;
    }

    private Disruption fault(String kind, Strike strike) {
        return new Disruption(kind, spans.any(), strike);
    }

    private Strike killed(Choice choice) {
        return () -> {
            int server = choice.pick();
            servers.kill(server);
            return struck(server, () -> servers.restart(server));
        };
    }

    private Strike killed(int count) {
        return () -> {
            List<Integer> some = someOf(servers.members(), count);
            for (int server : some) {
                servers.kill(server);
            }
            return new Struck("servers_" + some, () -> some.forEach(servers::restart));
        };
    }

    private Strike frozen(Choice choice) {
        return () -> {
            int server = choice.pick();
            servers.freeze(server);
            return struck(server, () -> servers.wake(server));
        };
    }

    private Strike cutOff(Choice choice) {
        return () -> {
            int server = choice.pick();
            others(server).forEach(other -> servers.cut(server, other));
            return struck(server, servers::heal);
        };
    }

    private Strike notHeard(Choice choice) {
        return () -> {
            int server = choice.pick();
            others(server).forEach(other -> servers.cutOneWay(server, other));
            return struck(server, servers::heal);
        };
    }

    private Strike deaf(Choice choice) {
        return () -> {
            int server = choice.pick();
            others(server).forEach(other -> servers.cutOneWay(other, server));
            return struck(server, servers::heal);
        };
    }

    private Strike linkCut() {
        return () -> {
            List<Integer> two = someOf(servers.members(), 2);
            servers.cut(two.get(0), two.get(1));
            return new Struck("servers_" + two, servers::heal);
        };
    }

    private Strike linkCutOneWay() {
        return () -> {
            List<Integer> two = someOf(servers.members(), 2);
            servers.cutOneWay(two.get(0), two.get(1));
            return new Struck("from_" + two.get(0) + "_to_" + two.get(1), servers::heal);
        };
    }

    private Strike clockMoved(Duration off) {
        return () -> {
            int server = any();
            servers.moveWallClock(server, off);
            return new Struck("server_" + server + "_by_" + off, () -> servers.moveWallClock(server, Duration.ZERO));
        };
    }

    private static Struck struck(int server, Disruption.Undo undo) {
        return new Struck("server_" + server, undo);
    }

    private int any() {
        return someOf(servers.members(), 1).get(0);
    }

    private int follower() throws InterruptedException {
        return someOf(others(servers.leader()), 1).get(0);
    }

    private List<Integer> others(int server) {
        return servers.members().stream().filter(other -> other != server).toList();
    }

    private List<Integer> someOf(List<Integer> all, int count) {
        List<Integer> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, random);
        return List.copyOf(shuffled.subList(0, count));
    }
}
