package io.baton.etcd;

import io.baton.etcd.wire.Backoff;
import io.baton.etcd.wire.ErrorClassifier;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.LiveEtcdWire;
import io.baton.tck.sim.lock.Contact;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The wire on a model of {@link LiveEtcdWire}: one member at a time, and on to the next when that is of no use. */
final class SimEtcdWire implements EtcdWire, Contact {

    private static final Duration LASTING = Duration.ofSeconds(1);
    private static final Fault NO_CONTACT = new Fault(Code.LOST, "no contact");

    private final SimEtcd etcd;
    private final SimProcess process;
    private final SimLoop loop;
    private final Duration patience;
    private final Events events;
    private final Backoff backoff;
    private final SimJournal journal;
    private final Set<Long> leases = new HashSet<>();
    private @Nullable Link link;
    private int member;
    private boolean contact;
    private long connectedAt;
    private boolean closed;

    private SimEtcdWire(
            SimEtcd etcd, SimProcess process, SimLoop loop, Duration patience, Events events, SimJournal journal) {
        this.etcd = etcd;
        this.process = process;
        this.loop = loop;
        this.patience = patience;
        this.events = events;
        this.journal = journal;
        this.backoff = new Backoff(loop, etcd.members().size(), LASTING);
        this.member = Math.floorMod(loop.randomLong(), etcd.members().size());
        loop.execute(this::attempt);
    }

    /** A factory of wires from this process; {@code made} is shown each. */
    static Factory from(SimProcess process, SimEtcd etcd, SimLoop loop, String line, Consumer<SimEtcdWire> made) {
        return (patience, events) -> {
            var wire = new SimEtcdWire(etcd, process, loop, patience, events, new SimJournal(etcd.counts, loop, line));
            made.accept(wire);
            return wire;
        };
    }

    @Override
    public SimProcess process() {
        return process;
    }

    @Override
    public boolean isOf(long session) {
        return leases.contains(session);
    }

    @Override
    public boolean inContact() {
        return contact;
    }

    @Override
    public boolean undisturbed() {
        SimConnection connection = connection();
        return connection != null
                && connection.flows()
                && etcd.sim.now() >= etcd.unreachableUntil(process)
                && etcd.serves(connection.member());
    }

    @Override
    public long disturbances() {
        SimConnection connection = connection();
        return connection == null ? 0 : etcd.disturbances(process, connection.member());
    }

    @Override
    public boolean closed() {
        return closed;
    }

    /** The present connection, for a network to spoil. */
    @Nullable
    SimConnection connection() {
        return link == null ? null : link.connection;
    }

    @Override
    public void grant(Duration ttl, Reply<Lease> reply) {
        Reply<Lease> heard = (fault, lease) -> {
            if (lease != null) {
                leases.add(lease.id());
            }
            reply.accept(fault, lease);
        };
        ask("grant", true, (at, back) -> at.grant(Timing.wholeSeconds(ttl), back), heard);
    }

    @Override
    public void keepAlive(long lease, Reply<Lease> reply) {
        ask("keepAlive", false, (at, back) -> at.keepAlive(lease, back), reply);
    }

    @Override
    public void revoke(long lease, Reply<Header> reply) {
        ask("revoke", true, (at, back) -> at.revoke(lease, back), reply);
    }

    @Override
    public void txn(Txn txn, Reply<Result> reply) {
        boolean writes = journal.sent(txn);
        Reply<Result> heard = (fault, result) -> {
            journal.answered(txn, fault, result);
            reply.accept(fault, result);
        };
        ask(journal.text(txn), writes, (at, back) -> at.txn(txn, writes, back), heard);
    }

    @Override
    public Watch watch(Range range, long from, Watcher to) {
        var watch = new Observing(to);
        Link now = current();
        if (now == null) {
            loop.execute(() -> watch.end(NO_CONTACT));
        } else {
            journal.watching(range);
            watch.on(now, range, from);
        }
        return watch;
    }

    @Override
    public void reconnect(String why) {
        Link now = current();
        if (now != null) {
            useless(now, why);
        }
    }

    @Override
    public void close() {
        closed = true;
        contact = false;
        if (link != null) {
            link.drop();
        }
    }

    private @Nullable Link current() {
        return contact ? link : null;
    }

    private <T> void ask(String what, boolean write, Asking<T> asking, Reply<T> reply) {
        Link now = current();
        if (now == null) {
            loop.execute(() -> {
                if (!closed) {
                    reply.accept(NO_CONTACT, null);
                }
            });
            return;
        }
        now.ask(write, asking, (fault, value) -> {
            loop.note(what + " -> " + (fault.ok() ? "OK" : fault.code() + " " + fault.message()));
            reply.accept(fault, value);
            now.heard(fault);
        });
    }

    private void attempt() {
        if (closed) {
            return;
        }
        var next = new Link(etcd.members().get(member));
        link = next;
        var read = Txn.read(Range.presence("/app/.sessions/0"));
        next.<Result>ask(false, (at, back) -> at.txn(read, false, back), (fault, result) -> tried(next, fault, result));
    }

    private void tried(Link tried, Fault fault, @Nullable Result answer) {
        if (closed) {
            return;
        }
        if (answer == null) {
            tried.drop();
            events.trouble(fault.message());
            next();
            return;
        }
        loop.note("in contact with member " + tried.connection.member().number());
        contact = true;
        connectedAt = loop.nanoTime();
        if (tried.brokeEarly) {
            useless(tried, "broke");
        }
        events.connected();
    }

    private void useless(Link broken, String why) {
        loop.execute(() -> broken(broken, why));
    }

    private void broken(Link broken, String why) {
        if (closed || broken != current()) {
            return;
        }
        loop.note("out of contact: " + why);
        contact = false;
        backoff.broken(connectedAt);
        broken.end(why);
        if (!closed) {
            events.disconnected(why);
            next();
        }
    }

    private void next() {
        member = (member + 1) % etcd.members().size();
        if (!closed) {
            loop.after(backoff.next(), this::attempt);
        }
    }

    /** How something is asked of a member. */
    private interface Asking<T> {
        void of(SimMember member, Reply<T> back);
    }

    /** A connection, and what is under way on it. */
    private final class Link {

        final SimConnection connection;
        private final Set<Call<?>> calls = new LinkedHashSet<>();
        private final Set<Observing> watches = new LinkedHashSet<>();
        private boolean ended;
        boolean brokeEarly;

        Link(SimMember to) {
            connection = new SimConnection(etcd, process, to, () -> loop.execute(this::broke));
        }

        <T> void ask(boolean write, Asking<T> asking, Reply<T> reply) {
            var call = new Call<T>(this, reply);
            calls.add(call);
            SimMember to = connection.member();
            connection.toServer(
                    write,
                    () -> asking.of(
                            to,
                            (fault, value) -> connection.toClientLate(
                                    "late answers", () -> deliver(() -> call.end(fault, value)))));
        }

        void deliver(Runnable task) {
            loop.execute(() -> {
                if (!ended) {
                    task.run();
                }
            });
        }

        void heard(Fault fault) {
            if (!ended && ErrorClassifier.useless(fault.message())) {
                useless(this, fault.message());
            }
        }

        void end(String why) {
            ended = true;
            var fault = new Fault(Code.LOST, why);
            List.copyOf(calls).forEach(call -> call.end(fault, null));
            List.copyOf(watches).forEach(watch -> watch.end(fault));
            connection.close();
        }

        void drop() {
            ended = true;
            List.copyOf(calls).forEach(Call::close);
            List.copyOf(watches).forEach(Observing::close);
            connection.close();
        }

        /** The library notices that the connection is broken; an attempt fails with it. */
        private void broke() {
            if (ended) {
                return;
            }
            if (this == current()) {
                broken(this, "the connection broke");
            } else {
                brokeEarly = true;
                var fault = new Fault(Code.LOST, "the connection broke");
                List.copyOf(calls).forEach(call -> call.end(fault, null));
            }
        }
    }

    private final class Call<T> {

        private final Link on;
        private final Reply<T> reply;
        private final io.baton.spi.Loop.Timer limit;
        private boolean over;

        Call(Link on, Reply<T> reply) {
            this.on = on;
            this.reply = reply;
            this.limit = loop.after(patience, () -> end(new Fault(Code.LOST, "no answer in time"), null));
        }

        void end(Fault fault, @Nullable T value) {
            if (!over) {
                close();
                reply.accept(fault, value);
            }
        }

        void close() {
            over = true;
            limit.cancel();
            on.calls.remove(this);
        }
    }

    private final class Observing implements Watch {

        private final Watcher to;
        private @Nullable Link on;
        private io.baton.spi.Loop.@Nullable Timer limit;
        private @Nullable SimServerWatch there;
        private boolean over;

        Observing(Watcher to) {
            this.to = to;
        }

        void on(Link link, Range range, long from) {
            on = link;
            link.watches.add(this);
            limit = loop.after(patience, () -> end(new Fault(Code.LOST, "no watch in time")));
            link.connection.toServerLate(() -> {
                if (!over) {
                    SimMember at = link.connection.member();
                    there = at.watch(link.connection, range, from, new Heard(link));
                }
            });
        }

        void end(Fault why) {
            if (!over && !closed) {
                close();
                to.ended(why);
                if (on != null) {
                    on.heard(why);
                }
            }
        }

        @Override
        public void close() {
            over = true;
            if (limit != null) {
                limit.cancel();
            }
            if (on != null) {
                on.watches.remove(this);
                on.connection.toServer(false, () -> {
                    if (there != null) {
                        there.connection().member().watches().remove(there);
                    }
                });
            }
        }

        /** What arrives at this machine. */
        private final class Heard implements Watcher {

            private final Link from;

            Heard(Link from) {
                this.from = from;
            }

            @Override
            public void created(Header header) {
                told(() -> {
                    if (limit != null) {
                        limit.cancel();
                    }
                    to.created(header);
                });
            }

            @Override
            public void events(List<Event> events, Header header) {
                told(() -> {
                    loop.note("told of " + events.size() + " at "
                            + events.get(0).revision() + ": " + events.get(0).key());
                    to.events(events, header);
                });
            }

            @Override
            public void ended(Fault why) {
                told(() -> end(why));
            }

            private void told(Runnable task) {
                from.deliver(() -> {
                    if (!over) {
                        task.run();
                    }
                });
            }
        }
    }
}
