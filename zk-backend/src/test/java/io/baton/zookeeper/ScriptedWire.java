package io.baton.zookeeper;

import io.baton.RecordKey;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.support.AdaptiveLimit;
import io.baton.zookeeper.wire.ZkAddress;
import io.baton.zookeeper.wire.ZkWire;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * A wire whose every word is the test's, and the loop with it: for orders of replies that a real server cannot be made to
 * give on demand. Requests are noted as text; answers are given by hand.
 */
public final class ScriptedWire implements ZkWire, Loop {

    static final long SESSION = 77;

    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    /** A request that waits for its answer. */
    private record Open(String text, Object reply) {}

    private record Task(long at, long number, Runnable run) {}

    final List<String> sent = new ArrayList<>();
    /** What the multis that were sent consist of. */
    final List<List<ZkOp>> multis = new ArrayList<>();

    final Positions positions = new Positions();
    Supplier<AdaptiveLimit> window = () -> AdaptiveLimit.fixed(RequestWindow.SIZE);
    int maxAnswer = 0xfffff;
    /** Whether ACLs are read, as with credentials. */
    boolean checksAcls;
    /** Whether the end of a session is confirmed, if there is contact. */
    boolean confirmsClose = true;

    private boolean contact;
    public final List<String> left = new ArrayList<>();
    private final Queue<Open> open = new ArrayDeque<>();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>((one, other) ->
            one.at != other.at ? Long.compare(one.at, other.at) : Long.compare(one.number, other.number));
    private Events events;
    private long now = 1_000_000_000L;
    private long numbers;

    /** A session of this wire, with a tick of 200 ms and a timeout of 4 s; not yet in contact. */
    ZkSession session(SessionListener listener) {
        return session(listener, false, true);
    }

    /** The same on somebody else's session. */
    ZkSession sharedSession(SessionListener listener) {
        return session(listener, true, true);
    }

    /** The same where the URI says {@code create=no}. */
    ZkSession sessionThatMakesNoChroot(SessionListener listener) {
        return session(listener, false, false);
    }

    private ZkSession session(SessionListener listener, boolean shared, boolean create) {
        var spec = new SessionSpec(TIMEOUT, "test");
        ZkAddress address = address(create);
        return new ZkSession(
                address, spec, Timing.of(TIMEOUT, address.tick()), this, factory(shared), listener, positions, window);
    }

    /** A session as programs get it. */
    Session storeSession(SessionListener listener) {
        return new ZkStore(address(true), any -> factory(false)).open(new SessionSpec(TIMEOUT, "test"), this, listener);
    }

    private static ZkAddress address(boolean create) {
        return new ZkAddress("nowhere:1", "/app", Duration.ofMillis(200), false, create);
    }

    private Factory factory(boolean shared) {
        return new Factory() {
            @Override
            public ZkWire open(Duration timeout, Events told) {
                events = told;
                return ScriptedWire.this;
            }

            @Override
            public boolean shared() {
                return shared;
            }
        };
    }

    // What the test makes happen.

    void connect() {
        connect(Duration.ofSeconds(4));
    }

    void connect(Duration negotiated) {
        contact = true;
        events.connected(SESSION, negotiated);
    }

    /** The connection breaks: whatever is open is answered so, then the break is told. */
    void lose() {
        while (!open.isEmpty()) {
            answer(Code.CONNECTIONLOSS, null);
        }
        contact = false;
        events.disconnected();
    }

    /** A request is answered, the connection breaks and comes back, and a commit that is asked for is answered at once. */
    void comeBackAndCommit(ZkSession session) {
        session.get(new RecordKey("stock", "a"));
        while (!open.isEmpty()) {
            answer(Code.NONODE, null);
        }
        pass(Duration.ofMillis(1));
        lose();
        pass(Duration.ofMillis(1));
        connect();
        session.requestProof();
        pass(Duration.ZERO);
        List<String> asked = open();
        if (asked.stream().noneMatch(text -> text.startsWith("multi"))) {
            throw new AssertionError("no commit, but " + asked);
        }
        asked.forEach(text -> answer(
                Code.OK, text.startsWith("read") ? new Node("/app", new byte[0], 9, 9, 9, 0, 0, SESSION) : null));
    }

    /** The servers were asked why there is no contact. */
    void diagnosed(Optional<String> why) {
        events.trouble(why);
    }

    void tell(String path, Change change) {
        events.changed(path, change);
    }

    /** Answers the oldest request, which must be this one. */
    public void answer(String text, Code code, Object value) {
        Open oldest = open.peek();
        if (oldest == null || !oldest.text().equals(text)) {
            throw new AssertionError("expected '" + text + "' to be open first, but there is " + open);
        }
        answer(code, value);
    }

    @SuppressWarnings("unchecked")
    private void answer(Code code, Object value) {
        Open oldest = open.remove();
        if (oldest.reply() instanceof MultiReply multi) {
            multi.accept(code, value instanceof Integer at ? at : -1, value instanceof Long zxid ? zxid : 0);
        } else {
            ((Reply<Object>) oldest.reply()).accept(code, value);
        }
    }

    /** What is open, oldest first. */
    public List<String> open() {
        return open.stream().map(Open::text).toList();
    }

    /** Lets time pass, and runs what is due. */
    public void pass(Duration time) {
        long until = now + time.toNanos();
        while (!tasks.isEmpty() && tasks.peek().at() <= until) {
            Task next = tasks.remove();
            now = Math.max(now, next.at());
            next.run().run();
        }
        now = until;
    }

    // ZkWire.

    @Override
    public void create(String path, byte[] data, CreateMode mode, Reply<Node> reply) {
        send("create " + path, reply);
    }

    @Override
    public void children(String path, Reply<List<String>> reply) {
        send("children " + path, reply);
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        send("read " + path, reply);
    }

    @Override
    public void watch(String path, Reply<Node> reply) {
        send("watch " + path, reply);
    }

    @Override
    public void unwatch(String path, Reply<Void> reply) {
        send("unwatch " + path, reply);
    }

    @Override
    public void follow(String path, Reply<Void> reply) {
        send("follow " + path, reply);
    }

    @Override
    public void delete(String path, Reply<Void> reply) {
        send("delete " + path, reply);
    }

    @Override
    public void multi(List<ZkOp> ops, MultiReply reply) {
        multis.add(List.copyOf(ops));
        send("multi " + ops.stream().map(ZkOp::path).toList(), reply);
    }

    @Override
    public void foreignAcl(String path, Reply<String> difference) {
        if (checksAcls) {
            send("acl " + path, difference);
        }
    }

    @Override
    public int maxAnswer() {
        return maxAnswer;
    }

    @Override
    public void close(Consumer<Boolean> done) {
        boolean heard = contact && confirmsClose;
        execute(() -> done.accept(heard));
    }

    @Override
    public void leave(List<String> beginnings, Consumer<Boolean> done) {
        left.addAll(beginnings);
    }

    private void send(String text, Object reply) {
        sent.add(text);
        open.add(new Open(text, reply));
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
