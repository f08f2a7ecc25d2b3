package io.baton.jdbc;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.jdbc.SqlDialect.Fault;
import io.baton.jdbc.SqlDialect.Pushes;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire;
import io.baton.spi.support.RepeatedRefusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One session's steps over two connections, each with a thread of its own. On the first, <em>work</em>, steps are made in
 * order. The second, <em>pulse</em>, beats, ends overdue sessions, and waits for pushes; no step delays it.
 *
 * <p>A contact is a pair of new connections. The threads of the former contact end with its connections.
 */
final class JdbcWire implements StepWire {

    private static final Logger log = LoggerFactory.getLogger(JdbcWire.class);

    private static final String OTHER_EPOCH =
            "another contact of this session has begun, or the server has become a replica";

    private static final String MISSING_RIGHT =
            "this user lacks a right (%s): grant it select, insert, update and delete on all tables of Baton";

    private static final String KEPT = "The database keeps a step waiting";

    private final StoreDatabase database;
    private final String session;
    private final Duration ttl;
    private final Loop loop;
    private final Events to;
    private final String client;

    // Owned by the loop.
    private long epoch;
    private @Nullable Contact contact;
    private final OverdueSessions overdueSessions;
    private final RepeatedRefusal sweeping;
    private boolean isKept;

    JdbcWire(StoreDatabase database, String session, Duration ttl, String client, Loop loop, Events to) {
        this.database = database;
        this.session = session;
        this.ttl = ttl;
        this.loop = loop;
        this.to = to;
        this.client = client;
        overdueSessions = new OverdueSessions(to);
        sweeping = new RepeatedRefusal(() -> "Cannot delete lines that are empty", to::troubled, to::resolved);
    }

    /** A step, on its thread. */
    private interface Work<T> {
        T on(StoreSteps steps, Connection connection) throws SQLException, OtherEpochException;
    }

    /** Nobody waits for the step any more, and it was not applied. */
    private static final class UnwantedException extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** Two connections, until one of them breaks or another contact begins. */
    private final class Contact {

        final long epoch;
        final TaskThread work = new TaskThread("baton-jdbc-work", this::failed, () -> discard(this.working));
        final TaskThread pulse = new TaskThread("baton-jdbc-pulse", this::failed, () -> discard(this.pulsing));
        final Map<Integer, Topic> followed = new HashMap<>();
        final Map<Topic, Integer> ids = new HashMap<>();
        final Watch watch = new Watch(to);
        private volatile boolean over;
        private volatile boolean followsLines;
        private long clockKept = System.nanoTime();
        private final Deque<String> expiring = new ArrayDeque<>();
        private boolean sweepQueued;
        private volatile @Nullable SqlDialect dialect;
        private volatile @Nullable StoreSteps steps;
        private volatile Optional<Pushes> pushes = Optional.empty();
        private volatile @Nullable Connection working;
        private volatile @Nullable Connection pulsing;
        private int topics;
        private long lastStep = System.nanoTime();

        Contact(long epoch) {
            this.epoch = epoch;
        }

        /** On the loop. The connections are broken by another thread, as that may take a while. */
        void end() {
            over = true;
            work.close(() -> {
                StoreSteps known = steps;
                if (known == null || !known.session.raisesAll()) {
                    abort(working);
                }
            });
            pulse.close(() -> abort(pulsing));
        }

        private void abort(@Nullable Connection connection) {
            if (connection != null) {
                StoreDatabase.abort(connection);
            }
        }

        /** On the thread that uses it. */
        private void discard(@Nullable Connection connection) {
            if (connection != null) {
                StoreDatabase.discard(connection);
            }
        }

        void begin(boolean first, long acknowledged, Reply<Attached> reply) {
            if (!work.start() || !pulse.start()) {
                broken("the machine has no thread to give");
                return;
            }
            work.execute(() -> {
                try {
                    if (!connect()) {
                        return;
                    }
                    String history = repeated(working, (steps, on) -> steps.session.incarnate(on));
                    if (over) {
                        return;
                    }
                    Optional<SessionSteps.Begun> begun = repeated(
                            working, (steps, on) -> steps.session.attach(on, history, first, epoch, acknowledged));
                    if (begun.isEmpty()) {
                        tell(() -> to.over(expired()));
                    } else {
                        StoreDatabase.limitSilence(working, ttl);
                        StoreDatabase.limitSilence(pulsing, ttl);
                        tell(() -> {
                            keptNoMore();
                            Attached attached = begun.get().answer();
                            attached.own().forEach(this::watch);
                            reply.answered(attached);
                        });
                        // A client may be gone before its first beat, and all others as well.
                        pulse.execute(() -> expireLater(
                                Objects.requireNonNull(steps),
                                Objects.requireNonNull(pulsing),
                                begun.get().overdue()));
                        pulse.execute(this::pulse);
                    }
                } catch (UnfitDatabaseException unfit) {
                    notBegun(first && !unfit.isPassing(), String.valueOf(unfit.getMessage()), unfit);
                } catch (SQLException error) {
                    if (isMissingRight(error)) {
                        notBegun(first, MISSING_RIGHT.formatted(text(error)), error);
                    } else {
                        broken(text(error));
                    }
                } catch (OtherEpochException changed) {
                    broken(OTHER_EPOCH);
                } finally {
                    if (over) {
                        abort(working);
                    }
                }
            });
        }

        /** A client that has begun comes back once it may again, as after a mistake of an operator. */
        private void notBegun(boolean forGood, String why, Exception cause) {
            if (forGood) {
                tell(() -> to.over(new CoordinationException(why, cause)));
            } else {
                broken(why);
            }
        }

        /** On the loop: looks when an entry that waits becomes clear, where the server does not tell. */
        void watch(Standing own) {
            if (!own.clear() && pushes.isEmpty()) {
                watch.add(own, pulse);
            }
        }

        /** Returns false if the contact is over meanwhile. Unless it returns true, no connection is left. */
        private boolean connect() throws SQLException, UnfitDatabaseException {
            boolean ready = false;
            try {
                StoreDatabase.Opened one = database.open(session, ttl);
                working = one.connection();
                SqlDialect found = one.dialect();
                dialect = found;
                steps = new StoreSteps(found, session, ttl, client);
                database.schema().check(one.connection(), found);
                if (over) {
                    return false; // the server may have much to do, so it is spared the rest
                }
                Connection other = database.open(session, ttl).connection();
                pulsing = other;
                pushes = found.pushes(other, session);
                ready = !over;
                return ready;
            } finally {
                if (!ready) {
                    abort(working);
                    discard(pulsing); // which its own thread has never used, and may have ended without
                }
            }
        }

        /** On the loop. */
        <T> void run(Reply<T> reply, Work<T> step) {
            lastStep = System.nanoTime();
            work.execute(() -> attempt(working, reply, step));
        }

        <T> void attempt(@Nullable Connection connection, Reply<T> reply, Work<T> step) {
            if (over || connection == null) {
                return;
            }
            try {
                T answer = repeated(connection, reply::isWanted, step);
                tell(() -> {
                    keptNoMore(connection);
                    reply.answered(answer);
                });
            } catch (UnwantedException late) {
                tell(() -> {
                    keptNoMore(connection);
                    reply.refused(
                            new StoreUnavailableException("its time was over before it was sent; nothing was applied"));
                });
            } catch (OtherEpochException ended) {
                lookWhy(connection);
            } catch (SQLException error) {
                if (error instanceof BusyException || fault(error) == Fault.REFUSED) {
                    tell(() -> {
                        keptNoMore(connection);
                        reply.refused(refusal(error));
                    });
                } else {
                    broken(text(error));
                }
            } catch (Throwable defect) {
                log.error("A step failed; this is a defect of Baton, please report it", defect);
                broken(text(defect)); // whether it was committed is not known
            }
        }

        private Fault fault(SQLException error) {
            SqlDialect known = dialect;
            return known == null ? Fault.BROKEN : known.classify(error);
        }

        private <T> T repeated(@Nullable Connection on, Work<T> step) throws SQLException, OtherEpochException {
            try {
                return repeated(on, () -> true, step);
            } catch (UnwantedException never) {
                throw new AssertionError(never);
            }
        }

        /** Repeats a step for as long as it meets others; a few times if those are transactions of programs. */
        private <T> T repeated(@Nullable Connection on, BooleanSupplier wanted, Work<T> step)
                throws SQLException, OtherEpochException, UnwantedException {
            Connection connection = Objects.requireNonNull(on);
            for (int attempt = 1; ; attempt++) {
                if (!wanted.getAsBoolean()) {
                    throw new UnwantedException();
                }
                try {
                    return step.on(Objects.requireNonNull(steps), connection);
                } catch (SQLException error) {
                    boolean again = error instanceof BusyException busy
                            ? attempt < busy.attempts
                            : fault(error) == Fault.REPEAT;
                    rollBack(connection, error);
                    if (!again || over) {
                        throw error;
                    }
                    log.debug("repeated", error);
                    if (isOutOfTime(error) || (attempt > 1 && isOutOfPatience(error))) {
                        tell(() -> kept(text(error)));
                    }
                    pause(Math.min(200, ThreadLocalRandom.current().nextInt(5 * attempt) + 1));
                } catch (OtherEpochException other) {
                    connection.rollback();
                    throw other;
                }
            }
        }

        private boolean isMissingRight(SQLException error) {
            SqlDialect known = dialect;
            return known != null && known.isMissingRight(error);
        }

        private boolean isOutOfTime(SQLException error) {
            SqlDialect known = dialect;
            return known != null && known.isOutOfTime(error);
        }

        private boolean isOutOfPatience(SQLException error) {
            SqlDialect known = dialect;
            return known != null && known.isOutOfPatience(error);
        }

        private void rollBack(Connection connection, SQLException error) {
            try {
                connection.rollback();
            } catch (SQLException broken) {
                error.addSuppressed(broken);
            }
        }

        private void lookWhy(Connection connection) {
            try {
                boolean exists = repeated(connection, (steps, on) -> steps.session.exists(on));
                if (exists) {
                    broken(OTHER_EPOCH);
                } else {
                    tell(() -> to.over(expired()));
                }
            } catch (SQLException | OtherEpochException failed) {
                broken(text(failed));
            }
        }

        private SessionLostException expired() {
            return new SessionLostException(
                    "session " + session + " has expired in the database, or was removed there");
        }

        // ---- the pulse

        /** On its thread, until the contact is over: waits for pushes, or looks, between the tasks of the thread. */
        private void pulse() {
            Connection connection = pulsing;
            if (over || connection == null) {
                return;
            }
            try {
                if (pushes.isPresent()) {
                    for (String text : pushes.get().await(PUSH_WAIT)) {
                        tell(() -> heard(text));
                    }
                } else {
                    watch.await(Objects.requireNonNull(steps), connection, pulse, this::tell);
                }
                if (followsLines && System.nanoTime() - clockKept > KEEP_CLOCK.toNanos()) {
                    clockKept = System.nanoTime();
                    StoreSteps now = Objects.requireNonNull(steps);
                    expireLater(now, connection, now.looks.keepClock(connection));
                }
            } catch (OtherEpochException ended) {
                lookWhy(connection);
                return;
            } catch (SQLException error) {
                if (fault(error) != Fault.REPEAT) {
                    broken(text(error));
                    return;
                }
                rollBack(connection, error);
            }
            pulse.execute(this::pulse);
        }

        private void heard(String text) {
            String[] words = text.split(" ", -1);
            switch (words[0]) {
                case "c" -> to.cleared(words[1], Long.parseLong(words[2]));
                case "g" -> to.gone(words[1]);
                default -> {
                    Topic topic = followed.get(Integer.parseInt(words[1]));
                    if (topic != null) {
                        to.changed(topic, Long.parseLong(words[2]));
                    }
                }
            }
        }

        void beat(List<String> looked, List<Topic> topics, Reply<Beaten> reply) {
            if (System.nanoTime() - lastStep > Math.min(ttl.toNanos(), LONGEST_IDLE.toNanos())) {
                run(new NoReply<>(), (steps, on) -> steps.session.exists(on));
            }
            pulse.execute(() -> attempt(pulsing, reply, (steps, connection) -> {
                LookSteps.Beat beat = steps.looks.beat(connection, epoch, looked, topics);
                clockKept = System.nanoTime();
                if (!beat.listens()) { // nothing may follow the end, so it comes after the answer
                    pulse.execute(() -> tell(() -> to.over(new CoordinationException(Sql.POOLER))));
                }
                expireLater(steps, connection, beat.overdue());
                if (ThreadLocalRandom.current().nextInt(50) == 0) {
                    sweepLater(steps, connection, new byte[0]);
                }
                return beat.answer();
            }));
        }

        private void expireLater(StoreSteps steps, Connection connection, List<String> overdue) {
            tell(() -> overdueSessions.found(overdue));
            if (expiring.isEmpty() && !overdue.isEmpty()) {
                expiring.addAll(overdue);
                pulse.execute(() -> expire(steps, connection));
            }
        }

        /** In parts, as beats need the same thread. Each session has its turn, however many entries another has. */
        private void expire(StoreSteps steps, Connection connection) {
            long begun = System.nanoTime();
            while (!over && !expiring.isEmpty()) {
                if (System.nanoTime() - begun > ttl.toNanos() / 16) {
                    pulse.execute(() -> expire(steps, connection));
                    return;
                }
                String session = expiring.remove();
                try {
                    if (!steps.session.expire(connection, session)) {
                        expiring.add(session);
                    }
                } catch (SQLException error) {
                    cannotTidy(connection, error);
                    tell(() -> overdueSessions.failed(session, text(error)));
                }
            }
        }

        /** One at a time. On the pulse's thread. */
        private void sweepLater(StoreSteps steps, Connection connection, byte[] after) {
            if (!sweepQueued) {
                sweepQueued = true;
                pulse.execute(() -> sweep(steps, connection, after));
            }
        }

        /** In parts, as {@link #expire}, until no line is left. */
        private void sweep(StoreSteps steps, Connection connection, byte[] after) {
            sweepQueued = false;
            long begun = System.nanoTime();
            try {
                Optional<byte[]> last = Optional.of(after);
                while (!over && last.isPresent() && System.nanoTime() - begun <= ttl.toNanos() / 16) {
                    last = steps.lines.sweep(connection, last.get());
                }
                last.ifPresent(from -> sweepLater(steps, connection, from));
                tell(sweeping::resolved);
            } catch (SQLException error) {
                cannotTidy(connection, error);
                // Others may sweep at the same time.
                if (fault(error) != Fault.REPEAT || isOutOfTime(error)) {
                    tell(() -> sweeping.refused(text(error)));
                }
            }
        }

        private void cannotTidy(Connection connection, SQLException error) {
            rollBack(connection, error);
            log.debug("cannot tidy up now", error);
        }

        // ---- to the loop

        private void failed(Throwable defect) {
            log.error("A connection is given up; this is a defect of Baton, please report it", defect);
            broken(text(defect));
        }

        private void broken(String why) {
            tell(() -> {
                end();
                contact = null;
                to.disconnected(why);
            });
        }

        private void tell(Runnable task) {
            if (!over) {
                try {
                    loop.deliver(() -> {
                        if (contact == this) {
                            task.run();
                        }
                    });
                } catch (RejectedExecutionException closed) {
                    log.debug("the loop is closed", closed);
                }
            }
        }
    }

    /** The database keeps a step for longer than a statement may take, and contact breaks if that goes on. */
    private void kept(String why) {
        isKept = true;
        to.troubled(KEPT, why);
    }

    /** Heartbeats may be answered while a step is kept. */
    private void keptNoMore(Connection answered) {
        Contact now = contact;
        if (now != null && answered == now.working) {
            keptNoMore();
        }
    }

    private void keptNoMore() {
        if (isKept) {
            isKept = false;
            to.resolved(KEPT);
        }
    }

    private static final Duration PUSH_WAIT = Duration.ofMillis(50);

    /**
     * How often the store's clock is looked at while a line is followed: so often that it does not fall behind, as each
     * look adds no more than {@link Sql#CAP}. Otherwise, those who follow would be told late of entries that expire.
     */
    private static final Duration KEEP_CLOCK = Duration.ofSeconds(1);

    /**
     * For how long <em>work</em> is unused at most, if that is less than a ttl. What is in between may drop a connection
     * that is idle and say nothing: the next release would be late by half of a ttl.
     */
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(30);

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static CoordinationException refusal(SQLException error) {
        String why = text(error);
        if (error instanceof BusyException) {
            return new StoreUnavailableException(
                    why + ", and nothing was changed: that transaction has to end first", error);
        }
        return error.getSQLState() != null && error.getSQLState().startsWith("53")
                ? new StoreUnavailableException(why, error)
                : new CoordinationException("the database refused the step: " + why, error);
    }

    static String text(Throwable error) {
        String message = String.valueOf(error.getMessage());
        return error instanceof SQLException sql && sql.getSQLState() != null
                ? message + " [" + sql.getSQLState() + "]"
                : message;
    }

    // ---- the interface

    @Override
    public void attach(boolean first, long acknowledged, Reply<Attached> reply) {
        close();
        Contact next = new Contact(++epoch);
        contact = next;
        next.begin(first, acknowledged, reply);
    }

    @Override
    public void beat(List<String> looked, List<Topic> followed, Reply<Beaten> reply) {
        Contact now = contact;
        if (now != null) {
            now.beat(looked, followed, reply);
        }
    }

    private <T> void run(Reply<T> reply, Work<T> step) {
        Contact now = contact;
        if (now != null) {
            now.run(reply, step);
        }
    }

    @Override
    public void step(List<Departure> leaving, Optional<Joining> joining, Reply<Stepped> reply) {
        long now = epoch;
        Contact in = contact;
        run(
                after(
                        answer -> {
                            if (in != null) {
                                answer.joined().ifPresent(in::watch);
                                leaving.forEach(departure -> in.watch.remove(departure.name()));
                            }
                        },
                        reply),
                (steps, connection) -> steps.lines.step(connection, now, leaving, joining));
    }

    @Override
    public void downgrade(Departure entry, Reply<Boolean> reply) {
        long now = epoch;
        run(reply, (steps, connection) -> steps.lines.downgrade(connection, now, entry));
    }

    @Override
    public void transact(
            long n,
            long acknowledged,
            List<Condition> conditions,
            List<Op> ops,
            List<Peer> removed,
            Reply<Boolean> reply) {
        long now = epoch;
        run(
                reply,
                (steps, connection) ->
                        steps.records.transact(connection, now, n, acknowledged, conditions, ops, removed));
    }

    @Override
    public void isFree(Line line, Claim claim, Reply<Availability> reply) {
        run(reply, (steps, connection) -> steps.lines.isFree(connection, line, claim));
    }

    @Override
    public void peers(Line line, Reply<List<Peer>> reply) {
        run(reply, (steps, connection) -> steps.lines.peers(connection, line));
    }

    @Override
    public void first(Line line, Reply<Optional<Entry>> reply) {
        run(reply, (steps, connection) -> steps.lines.first(connection, line));
    }

    @Override
    public void details(Peer peer, Reply<Optional<Entry>> reply) {
        run(reply, (steps, connection) -> steps.lines.details(connection, peer));
    }

    @Override
    public void get(RecordKey key, Reply<Optional<Item>> reply) {
        run(reply, (steps, connection) -> steps.records.get(connection, key));
    }

    @Override
    public void follow(Topic topic, Reply<Long> reply) {
        Contact in = contact;
        if (in != null) {
            // What is sent to its other followers keeps its meaning.
            int id = in.ids.computeIfAbsent(topic, first -> ++in.topics);
            in.followed.put(id, topic);
            in.followsLines = followsLines(in);
            in.run(
                    after(
                            version -> {
                                if (in.followed.containsKey(id)) {
                                    in.watch.follow(topic, version);
                                }
                            },
                            reply),
                    (steps, connection) -> steps.looks.follow(connection, in.epoch, topic, id));
        }
    }

    private static boolean followsLines(Contact in) {
        return in.followed.values().stream().anyMatch(topic -> !(topic instanceof Topic.Tree));
    }

    @Override
    public void unfollow(Topic topic) {
        Contact in = contact;
        Integer id = in == null ? null : in.ids.remove(topic);
        if (in != null && id != null) {
            in.followed.remove(id);
            in.followsLines = followsLines(in);
            in.watch.unfollow(topic);
            in.run(new NoReply<>(), (steps, connection) -> {
                steps.looks.unfollow(connection, topic, id);
                return true;
            });
        }
    }

    @Override
    public void snapshot(String tree, Reply<Snapshot> reply) {
        run(reply, (steps, connection) -> steps.records.snapshot(connection, tree));
    }

    @Override
    public void changesSince(String tree, long revision, Reply<Optional<Changes>> reply) {
        run(reply, (steps, connection) -> steps.records.changesSince(connection, tree, revision));
    }

    @Override
    public void end(Reply<Boolean> reply) {
        run(reply, (steps, connection) -> {
            boolean ended = false;
            while (!ended) {
                ended = steps.session.end(connection);
            }
            return true;
        });
    }

    @Override
    public void close() {
        Contact now = contact;
        contact = null;
        if (now != null) {
            now.end();
        }
        keptNoMore();
    }

    /** Returns a reply that passes an answer on once it has been noted. */
    private static <T> Reply<T> after(Consumer<T> noting, Reply<T> reply) {
        return new Reply<>() {
            @Override
            public void answered(T answer) {
                noting.accept(answer);
                reply.answered(answer);
            }

            @Override
            public void refused(CoordinationException why) {
                reply.refused(why);
            }
        };
    }

    /** For steps that nobody waits for. */
    private static final class NoReply<T> implements Reply<T> {
        @Override
        public void answered(T answer) {}

        @Override
        public void refused(CoordinationException why) {
            log.debug("refused", why);
        }
    }
}
