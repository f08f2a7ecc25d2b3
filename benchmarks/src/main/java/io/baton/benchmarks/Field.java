package io.baton.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** On which store, and beside whom. */
enum Field {

    /** ZooKeeper, beside the locks of Curator. */
    ZOOKEEPER("zk", "Curator") {
        @Override
        RawStore raw(String servers) throws Exception {
            return RawZooKeeper.connect(servers);
        }

        @Override
        Side peer(String servers, Row row) throws Exception {
            return CuratorSide.connect(servers, row);
        }

        @Override
        List<Row> rows() {
            return List.of(
                    new Row("acked", "uncontended, release acked", 1.35, 1, 1, LOOPBACK, true, Work.LOOP),
                    new Row("sent", "uncontended, release sent", 1.8, 1, 1, LOOPBACK, false, Work.LOOP),
                    new Row("acked-2ms", "the same, acked, 2 ms round trip", 1.4, 1, 1, SLOW, true, Work.LOOP),
                    new Row("sent-2ms", "the same, sent, 2 ms round trip", 2.5, 1, 1, SLOW, false, Work.LOOP),
                    Row.handOff(2, 1.15),
                    Row.handOff(8, 1.4),
                    Row.handOff(32, 1.1),
                    Row.handOff(128, 1.0),
                    Row.handOff(2, NEAR, 1.0),
                    Row.handOff(8, NEARER, 1.4),
                    Row.handOff(8, NEAR, 1.8),
                    Row.handOff(8, SLOW, 1.8),
                    Row.handOff(32, NEAR, 1.4),
                    Row.shared("read-90", "90 % read, 8 clients", LockKind.READ_90, LOOPBACK, 1.0),
                    Row.shared("read-90-1ms", "the same, 1 ms round trip", LockKind.READ_90, NEAR, 1.0),
                    Row.shared("read-50", "50 % read, 8 clients", LockKind.READ_50, LOOPBACK, 1.0),
                    Row.shared("read-50-1ms", "the same, 1 ms round trip", LockKind.READ_50, NEAR, 1.0),
                    Row.ofThreads("threads-8", "one lock object, 8 threads", LockKind.MUTEX, 8, 1.0),
                    Row.ofThreads("threads-8-cohort", "the same, in a cohort", LockKind.COHORT, 8, 50),
                    Row.ofThreads("again-linger", "uncontended, place lingers", LockKind.LINGER, 1, 30),
                    Row.shared("permits", "4 permits, 8 clients", LockKind.SEMAPHORE, LOOPBACK, 1.0),
                    Row.shared("permits-1ms", "the same, 1 ms round trip", LockKind.SEMAPHORE, NEAR, 1.0),
                    new Row("threads-200", "one lock object, 200 threads", 15, 1, 201, LOOPBACK, true, Work.DRAIN),
                    Row.recipe("counter", "counter, one is added", LockKind.COUNTER, 1, 1, Work.LOOP),
                    Row.recipe("counter-8", "the same, 8 clients", LockKind.COUNTER, 8, 8, Work.LOOP),
                    Row.recipe("number", "number, set if unchanged", LockKind.NUMBER, 1, 1, Work.LOOP),
                    Row.recipe("barrier-8", "barrier, lifted for 7 that wait", LockKind.BARRIER, 8, 8, Work.TOGETHER),
                    Row.recipe("double-8", "double barrier, 8 parties", LockKind.DOUBLE_BARRIER, 8, 8, Work.TOGETHER),
                    Row.recipe("group", "group, join, leave, both seen", LockKind.GROUP, 2, 1, Work.LOOP));
        }
    },

    /** etcd, beside the Lock client of jetcd. */
    ETCD("etcd", "jetcd") {
        @Override
        RawStore raw(String servers) {
            return new RawEtcd(servers);
        }

        @Override
        Side peer(String servers, Row row) throws Exception {
            return JetcdSide.connect(servers, row.clients(), row.workers());
        }

        @Override
        List<Row> rows() {
            return List.of(
                    new Row("acked", "uncontended, release acked", 1.0, 1, 1, LOOPBACK, true, Work.LOOP),
                    new Row("sent", "uncontended, release sent", 1.5, 1, 1, LOOPBACK, false, Work.LOOP),
                    Row.handOff(2, 15),
                    Row.handOff(8, 10),
                    Row.handOff(32, 5),
                    Row.handOff(128, 1.0),
                    Row.handOff(2, NEAR, 1.0),
                    Row.handOff(8, NEARER, 10),
                    Row.handOff(8, NEAR, 10),
                    Row.handOff(8, SLOW, 10),
                    Row.handOff(32, NEAR, 5),
                    Row.ofThreads("again-linger", "uncontended, place lingers", LockKind.LINGER, 1, 30));
        }
    };

    private static final Duration LOOPBACK = Duration.ZERO;
    private static final Duration NEARER = Duration.ofNanos(500_000);
    private static final Duration NEAR = Duration.ofMillis(1);
    private static final Duration SLOW = Duration.ofMillis(2);

    private final String scheme;
    private final String peer;

    Field(String scheme, String peer) {
        this.scheme = scheme;
        this.peer = peer;
    }

    /** What the store's URIs begin with. */
    String scheme() {
        return scheme;
    }

    /**
     * The one whose URIs begin so.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Field ofScheme(String scheme) {
        return Stream.of(values())
                .filter(field -> field.scheme.equals(scheme))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such store: " + scheme));
    }

    /** Beside whom. */
    String peer() {
        return peer;
    }

    /** All lines of its table. */
    abstract List<Row> rows();

    /**
     * The row of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    Row row(String name) {
        return rows().stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such row on " + scheme + ": " + name));
    }

    /** The store's own client, connected. */
    abstract RawStore raw(String servers) throws Exception;

    /** The other side, connected. */
    abstract Side peer(String servers, Row row) throws Exception;

    /** This side, {@link Setup#BATON} or the other, connected. */
    Side side(String side, String servers, Row row) throws Exception {
        return side.equals(Setup.BATON)
                ? BatonSide.connect(scheme + "://" + servers + "/baton", row)
                : peer(servers, row);
    }
}
