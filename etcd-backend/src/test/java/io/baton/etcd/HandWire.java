package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.spi.Loop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/** A wire, and its loop, whose every word is the test's. Requests are noted as text; answers are given by hand. */
public class HandWire implements EtcdWire, Loop {

    static final long LEASE = 0x4d;

    /** A transaction that waits for its answer. */
    private record Open(String text, Txn txn, Reply<Result> reply) {}

    private record Task(long at, long number, Runnable run) {}

    /** A watch that the test tells things. */
    public final class HandWatch implements Watch {

        final Range range;
        public final long from;
        public final Watcher to;
        boolean over;

        private HandWatch(Range range, long from, Watcher to) {
            this.range = range;
            this.from = from;
            this.to = to;
        }

        @Override
        public void close() {
            over = true;
        }

        void create() {
            to.created(header(watchHeader));
        }

        public void end(Code why) {
            over = true;
            to.ended(new Fault(why, "said by hand"));
        }

        void tell(Event... events) {
            to.events(List.of(events), header(watchHeader));
        }
    }

    final List<HandWatch> watches = new ArrayList<>();
    final Queue<Reply<Lease>> grants = new ArrayDeque<>();
    final Queue<Reply<Lease>> renewals = new ArrayDeque<>();
    final Queue<Reply<Header>> revocations = new ArrayDeque<>();
    public int reconnects;
    /** The revision in the headers of watches, which says nothing. */
    long watchHeader = 1_000_000;

    /** The raft term in what is answered from now on. */
    long term = 3;

    /** Which leases were renewed, or revoked. */
    final List<Long> renewed = new ArrayList<>();

    final List<Long> revoked = new ArrayList<>();

    public boolean closed;
    private final Queue<Open> txns = new ArrayDeque<>();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>((one, other) ->
            one.at != other.at ? Long.compare(one.at, other.at) : Long.compare(one.number, other.number));
    private long now = 1_000_000_000L;
    private long numbers;

    // What the test says.

    public static Header header(long revision) {
        return new Header(1, 2, revision, 3);
    }

    static Kv kv(String key, String value, long created, long written) {
        return new Kv(key, value.getBytes(StandardCharsets.UTF_8), created, written, 0x4d);
    }

    static Part part(Kv... kvs) {
        return new Part(List.of(kvs), kvs.length);
    }

    public static Event put(String key, String value, long revision) {
        return new Event(key, false, value.getBytes(StandardCharsets.UTF_8), revision, revision);
    }

    public static Event gone(String key, long revision) {
        return new Event(key, true, new byte[0], 0, revision);
    }

    /** What waits for its answer, oldest first. */
    List<String> asked() {
        return txns.stream().map(Open::text).toList();
    }

    /** How many keys the read that waits longest wants at most. */
    int limit() {
        return ((Range) txns.element().txn().then().get(0)).limit();
    }

    void answer(long revision, Part... parts) {
        answer(revision, true, parts);
    }

    void refuse(long revision, Part... parts) {
        answer(revision, false, parts);
    }

    private void answer(long revision, boolean met, Part... parts) {
        txns.remove().reply().accept(Fault.NONE, new Result(new Header(1, 2, revision, term), met, List.of(parts)));
    }

    /** What waits longest for its answer is overtaken by all the others. */
    void overtake() {
        txns.add(txns.remove());
    }

    /** One answer fails; what is due at once then is done, as no break follows. */
    void fail(Code code, String message) {
        lose(code, message);
        pass(Duration.ZERO);
    }

    private void lose(Code code, String message) {
        txns.remove().reply().accept(new Fault(code, message), null);
    }

    /** The contact breaks: everything under way is lost. */
    void lose() {
        for (HandWatch watch : List.copyOf(watches)) {
            if (!watch.over) {
                watch.end(Code.LOST);
            }
        }
        while (!txns.isEmpty()) {
            lose(Code.LOST, "broken");
        }
    }

    /** The newest watch. */
    public HandWatch watch() {
        return watches.get(watches.size() - 1);
    }

    /** How many watches go on, but for that of the session's own key. */
    long watching() {
        return watches.stream()
                .filter(watch -> !watch.over && !watch.range.key().contains("/.sessions/"))
                .count();
    }

    /** Lets time pass, and runs what is due. */
    void pass(Duration time) {
        long until = now + time.toNanos();
        while (!tasks.isEmpty() && tasks.peek().at() <= until) {
            Task next = tasks.remove();
            now = Math.max(now, next.at());
            next.run().run();
        }
        now = until;
    }

    // EtcdWire.

    @Override
    public void txn(Txn txn, Reply<Result> reply) {
        var words = new ArrayList<String>();
        txn.ifs().forEach(one -> words.add("if " + text(one)));
        txn.then().forEach(one -> words.add(text(one)));
        txn.otherwise().forEach(one -> words.add("else " + text(one)));
        txns.add(new Open(String.join(", ", words), txn, reply));
    }

    private static String text(Compare compare) {
        return compare instanceof Compare.Created created
                ? created.key() + " created " + created.revision()
                : ((Compare.Written) compare).key() + " written " + ((Compare.Written) compare).revision();
    }

    private static String text(Request request) {
        if (request instanceof Put put) {
            return "put " + put.key() + "=" + new String(put.value(), StandardCharsets.UTF_8)
                    + (put.lease() == 0 ? "" : " lease" + (put.lease() == LEASE ? "" : " " + put.lease()));
        } else if (request instanceof Delete delete) {
            return "delete " + delete.key();
        }
        Range range = (Range) request;
        String order = switch (range.order()) {
            case LAST_CREATED -> " newest " + range.limit();
            case LAST_WRITTEN -> " last written";
            case KEY -> "";
        };
        return (range.values() ? "read " : "look at ")
                + range.key()
                + (range.prefix() ? "*" : "")
                + order
                + (range.after().isEmpty()
                        ? ""
                        : " after " + range.after().substring(range.key().length()))
                + (range.revision() == 0 ? "" : " at " + range.revision());
    }

    @Override
    public Watch watch(Range range, long from, Watcher to) {
        var watch = new HandWatch(range, from, to);
        watches.add(watch);
        return watch;
    }

    @Override
    public void grant(Duration ttl, Reply<Lease> reply) {
        grants.add(reply);
    }

    @Override
    public void keepAlive(long lease, Reply<Lease> reply) {
        renewed.add(lease);
        renewals.add(reply);
    }

    @Override
    public void revoke(long lease, Reply<Header> reply) {
        revoked.add(lease);
        revocations.add(reply);
    }

    @Override
    public void reconnect(String why) {
        reconnects++;
    }

    @Override
    public void close() {
        closed = true;
    }

    // Loop.

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long wallMillis() {
        return now / 1_000_000;
    }

    @Override
    public long randomLong() {
        return ++numbers;
    }

    @Override
    public void execute(Runnable task) {
        after(Duration.ZERO, task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        var waiting = new Task(now + delay.toNanos(), ++numbers, task);
        tasks.add(waiting);
        return () -> tasks.remove(waiting);
    }
}
