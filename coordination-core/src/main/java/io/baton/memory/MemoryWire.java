package io.baton.memory;

import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The steps of one session, each applied at once under the store's lock. On the session's loop. */
final class MemoryWire implements StepWire {

    private final MemoryServer server;
    private final Lease lease;

    MemoryWire(MemoryServer server, Lease lease) {
        this.server = server;
        this.lease = lease;
    }

    @Override
    public void attach(boolean first, long acknowledged, Reply<Attached> reply) {
        Supplier<Attached> step = () -> {
            lease.establish();
            lease.renew();
            lease.verdicts.headMap(acknowledged + 1).clear();
            return new Attached(
                    lease.entries.stream().map(MemoryEntry::standing).toList(),
                    Map.copyOf(lease.verdicts),
                    Values.HISTORY,
                    Duration.ZERO);
        };
        server.attach(lease, () -> lease.serve("attach", step, reply));
    }

    @Override
    public void beat(List<String> looked, List<Topic> followed, Reply<Beaten> reply) {
        serve(
                "beat",
                () -> {
                    lease.renew();
                    Map<Topic, Long> versions = new HashMap<>();
                    followed.forEach(topic -> versions.put(topic, server.version(topic)));
                    Set<String> names = Set.copyOf(looked);
                    return new Beaten(
                            lease.entries.stream()
                                    .filter(entry -> names.contains(entry.peer().name()))
                                    .map(MemoryEntry::standing)
                                    .toList(),
                            versions,
                            Duration.ZERO);
                },
                reply);
    }

    @Override
    public void step(List<Departure> leaving, Optional<Joining> joining, Reply<Stepped> reply) {
        serve(
                joining.isPresent() ? "join" : "leave",
                () -> {
                    server.leave(leaving);
                    joining.ifPresent(entry -> lease.renew());
                    return new Stepped(List.of(), joining.map(entry -> server.join(lease, entry)));
                },
                reply);
    }

    @Override
    public void downgrade(Departure entry, Reply<Boolean> reply) {
        serve("downgrade", () -> server.downgrade(entry), reply);
    }

    @Override
    public void transact(
            long n,
            long acknowledged,
            List<Condition> conditions,
            List<Op> ops,
            List<Peer> removed,
            Reply<Boolean> reply) {
        server.serve(
                lease,
                n,
                () -> {
                    lease.verdicts.headMap(acknowledged + 1).clear();
                    return lease.verdicts.computeIfAbsent(n, is -> server.transact(conditions, ops, removed));
                },
                reply);
    }

    @Override
    public void isFree(Line line, Claim claim, Reply<Availability> reply) {
        serve("free", () -> Availability.of(server.lines().isFree(Lines.key(line), claim)), reply);
    }

    @Override
    public void peers(Line line, Reply<List<Peer>> reply) {
        serve("peers", () -> server.lines().peers(Lines.key(line)), reply);
    }

    @Override
    public void first(Line line, Reply<Optional<Entry>> reply) {
        serve(
                "first",
                () -> Optional.ofNullable(server.lines().first(Lines.key(line))).map(MemoryEntry::entry),
                reply);
    }

    @Override
    public void details(Peer peer, Reply<Optional<Entry>> reply) {
        serve("details", () -> Optional.ofNullable(server.lines().find(peer)).map(MemoryEntry::entry), reply);
    }

    @Override
    public void get(RecordKey key, Reply<Optional<Item>> reply) {
        serve("get", () -> server.values().get(key), reply);
    }

    @Override
    public void follow(Topic topic, Reply<Long> reply) {
        serve(
                "observe",
                () -> {
                    lease.followed.add(topic);
                    return server.version(topic);
                },
                reply);
    }

    @Override
    public void unfollow(Topic topic) {
        server.unfollow(lease, topic);
    }

    @Override
    public void snapshot(String tree, Reply<Snapshot> reply) {
        serve("snapshot", () -> server.values().snapshot(tree), reply);
    }

    @Override
    public void changesSince(String tree, long revision, Reply<Optional<Changes>> reply) {
        serve("changes", () -> server.values().changesSince(tree, revision), reply);
    }

    @Override
    public void end(Reply<Boolean> reply) {
        server.end(lease, reply);
    }

    @Override
    public void close() {
        server.close(lease);
    }

    private <T> void serve(String name, Supplier<T> step, Reply<T> reply) {
        server.serve(lease, name, step, reply);
    }
}
