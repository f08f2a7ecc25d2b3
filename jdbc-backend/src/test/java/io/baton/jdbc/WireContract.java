package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.Op;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.RecordsListener;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Guarantees.Survival;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Availability;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Changes;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.kernel.StepWire.Snapshot;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Stepped;
import io.baton.spi.kernel.StepWire.Topic;
import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a wire promises, on a real database. */
abstract class WireContract {

    static final Line LINE = Line.of("locks/orders");
    static final Line READ_WRITE = Line.of("rwlocks/orders", Line.Kind.READ_WRITE);
    static final Duration ASKER_TTL = Duration.ofSeconds(3);
    static final RecordKey KEY = new RecordKey("stock", "tickets");

    private final List<WireClient> clients = new ArrayList<>();

    /** The address of the test's own tables. */
    abstract String uri();

    abstract void crash();

    /** Statements after which each change of a row of a table takes 400 ms. */
    abstract List<String> slowDown(String table);

    /** Ends that. */
    abstract String speedUp(String table);

    /** A query for how long a connection may be idle in a transaction, in milliseconds. */
    abstract String longestIdle();

    /** What a query selects from and takes half a minute for. */
    abstract String longWait();

    WireClient client() {
        return client(uri());
    }

    WireClient client(String uri) {
        WireClient client = WireClient.attached(uri);
        clients.add(client);
        return client;
    }

    @AfterEach
    void closeAll() {
        clients.forEach(WireClient::close);
    }

    void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri());
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    static void eventually(org.awaitility.core.ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(assertion);
    }

    @Test
    void join_behindAnother_isClearOnceThatHasLeft() {
        WireClient one = client();
        WireClient two = client();
        Standing first = one.join(LINE);
        Standing second = two.join(LINE);
        assertThat(first.clear()).isTrue();
        assertThat(second.clear()).isFalse();
        assertThat(second.token()).isGreaterThan(first.token());

        assertThat(one.leave(LINE, first).busy()).isEmpty();

        eventually(() -> assertThat(two.events).contains("cleared " + second.name() + " " + second.token()));
        assertThat(two.look(second).clear()).isTrue();
    }

    @Test
    void join_manyAtOnce_oneIsClear() throws Exception {
        List<WireClient> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(client());
        }
        for (int round = 0; round < 10; round++) {
            Line line = Line.of("locks/round-" + round);
            List<CompletableFuture<Stepped>> answers =
                    all.stream().map(each -> each.joinAsync(line)).toList();
            int clear = 0;
            Set<Long> tokens = new HashSet<>();
            for (CompletableFuture<Stepped> answer : answers) {
                Standing joined = answer.get(60, TimeUnit.SECONDS).joined().orElseThrow();
                clear += joined.clear() ? 1 : 0;
                tokens.add(joined.token());
            }
            assertThat(clear).isEqualTo(1);
            assertThat(tokens).hasSize(all.size());
        }
    }

    /** What is before the head is not searched, and read for as long as the database keeps what was deleted there. */
    @Test
    void leave_headOfTheLine_followsTheFirstThatStandsAndNeverPassesIt() throws Exception {
        Line line = Line.of("locks/head");
        WireClient one = client();
        WireClient two = client();
        Standing first = one.join(line);
        Standing middle = two.join(line);
        Standing second = one.join(line);

        assertThat(two.leave(line, middle).busy()).isEmpty();
        assertThat(head(line)).isEqualTo(first.token());
        assertThat(one.look(second).clear()).isFalse();
        assertThat(one.leave(line, first).busy()).isEmpty();
        assertThat(one.look(second).clear()).isTrue();

        Standing last = two.join(line);
        assertThat(two.look(last).clear()).isFalse();
        assertThat(one.leave(line, second).busy()).isEmpty();
        assertThat(head(line)).isEqualTo(second.token());
        assertThat(two.look(last).clear()).isTrue();

        assertThat(two.leave(line, last).busy()).isEmpty();
        assertThat(one.join(line).clear()).isTrue();
        assertThat(head(line)).isEqualTo(last.token());
    }

    /** A head that is too large, which no step makes, hides what is before it. */
    @Test
    void look_beginsAtTheHead() throws Exception {
        Line line = Line.of("locks/head");
        WireClient one = client();
        Standing first = one.join(line);
        Standing second = one.join(line);
        assertThat(first.clear()).isTrue();
        assertThat(one.look(second).clear()).isFalse();

        sql("update baton_line set head = " + second.token() + " where seq = " + second.token());

        assertThat(one.look(second).clear()).isTrue();
    }

    private long head(Line line) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri());
                PreparedStatement query = connection.prepareStatement("select head from baton_line where path = ?")) {
            query.setBytes(1, Sql.key(line));
            try (ResultSet row = query.executeQuery()) {
                assertThat(row.next()).isTrue();
                return row.getLong(1);
            }
        }
    }

    @Test
    void leave_twoAtOnce_theThirdIsCleared() throws Exception {
        WireClient one = client();
        WireClient two = client();
        WireClient three = client();
        for (int round = 0; round < 15; round++) {
            Line line = Line.of("locks/round-" + round);
            Standing a = one.join(line);
            Standing b = two.join(line);
            Standing c = three.join(line);
            CompletableFuture<Stepped> first =
                    one.send(reply -> one.wire().step(List.of(WireClient.departure(line, a)), Optional.empty(), reply));
            CompletableFuture<Stepped> second =
                    two.send(reply -> two.wire().step(List.of(WireClient.departure(line, b)), Optional.empty(), reply));
            first.get(60, TimeUnit.SECONDS);
            second.get(60, TimeUnit.SECONDS);
            eventually(() -> assertThat(three.events).contains("cleared " + c.name() + " " + c.token()));
        }
    }

    @Test
    void claims_sharedBehindExclusive_areClearTogether() {
        WireClient one = client();
        WireClient two = client();
        Standing writer = one.join(READ_WRITE);
        Standing reader = two.join(READ_WRITE, Claim.SHARED);
        Standing other = two.join(READ_WRITE, Claim.SHARED);
        Standing last = two.join(READ_WRITE);
        assertThat(List.of(reader.clear(), other.clear(), last.clear())).containsOnly(false);

        assertThat(one.<Boolean>await(reply -> one.wire().downgrade(WireClient.departure(READ_WRITE, writer), reply)))
                .isTrue();

        eventually(() -> assertThat(two.events)
                .contains(
                        "cleared " + reader.name() + " " + reader.token(),
                        "cleared " + other.name() + " " + other.token()));
        assertThat(two.look(last).clear()).isFalse();
        assertThat(one.look(writer).downgraded()).isTrue();
        assertThat(one.leave(READ_WRITE, writer).busy()).isEmpty();
        assertThat(two.leave(READ_WRITE, reader).busy()).isEmpty();
        assertThat(two.leave(READ_WRITE, other).busy()).isEmpty();
        eventually(() -> assertThat(two.events).contains("cleared " + last.name() + " " + last.token()));
    }

    @Test
    void claims_permits_areClearAtOnce() {
        WireClient one = client();
        Line permits = Line.of("semaphores/pool", Line.Kind.PERMITS);
        assertThat(one.join(permits, Claim.permits(2)).clear()).isTrue();
        assertThat(one.join(permits, Claim.permits(3)).clear()).isTrue();
        List<Peer> peers = one.await(reply -> one.wire().peers(permits, reply));
        assertThat(peers).extracting(peer -> peer.claim().permits()).containsExactly(2, 3);
    }

    /** Permits wait for nobody, so the look at one is no look at all that stand before it. */
    @Test
    void attach_manyOwnPermitsInOneLine_looksAtEachOnce() throws Exception {
        WireClient one = client();
        assertThat(one.join(Line.of("semaphores/pool", Line.Kind.PERMITS), Claim.permits(1))
                        .clear())
                .isTrue();
        sql("insert into baton_entry (path, token, name, sid, mode, permits, downgraded, payload)"
                + " with recursive number(n) as (select 1 union all select n + 1 from number where n < 150)"
                + " select e.path, e.token + 150 * a.n + b.n, concat(e.name, '-', a.n, '-', b.n), e.sid, e.mode, 1, false,"
                + " e.payload from baton_entry e, number a, number b");

        Attached attached = one.attach(false);

        assertThat(attached.own()).hasSize(22_501).allMatch(Standing::clear);
        sql("delete from baton_entry");
    }

    @Test
    void attach_again_returnsEntries_andEndsTheFormerEpoch() throws Exception {
        WireClient one = client();
        Standing entry = one.join(LINE);
        try (Connection locking = DriverManager.getConnection(uri())) {
            locking.setAutoCommit(false);
            try (Statement statement = locking.createStatement()) {
                statement.execute("update baton_line set seq = seq");
            }
            // This join hangs at the line, and its contact ends.
            CompletableFuture<Stepped> hanging = one.joinAsync(LINE);
            CompletableFuture<Attached> again = one.send(reply -> one.wire().attach(false, 0, reply));
            locking.commit();
            Attached attached = again.get(60, TimeUnit.SECONDS);
            assertThat(attached.own()).extracting(Standing::name).contains(entry.name());
            List<Peer> now = one.await(reply -> one.wire().peers(LINE, reply));
            assertThat(now).hasSameSizeAs(attached.own());
            assertThat(hanging).isNotCompleted();
        }
    }

    @Test
    void step_ofAFormerEpoch_isNotApplied() throws Exception {
        WireClient one = client();
        sql("update baton_session set epoch = epoch + 1000");
        CompletableFuture<Stepped> stale = one.joinAsync(LINE);
        eventually(() -> assertThat(one.events).anyMatch(event -> event.startsWith("disconnected")));
        assertThat(stale).isNotCompleted();
        WireClient other = client();
        List<Peer> peers = other.await(reply -> other.wire().peers(LINE, reply));
        assertThat(peers).isEmpty();
    }

    @Test
    void leave_ofAFormerEpoch_isNotApplied() throws Exception {
        WireClient one = client();
        Standing entry = one.join(LINE);
        sql("update baton_session set epoch = epoch + 1000");
        CompletableFuture<Stepped> stale =
                one.send(reply -> one.wire().step(List.of(WireClient.departure(LINE, entry)), Optional.empty(), reply));
        eventually(() -> assertThat(one.events).anyMatch(event -> event.startsWith("disconnected")));
        assertThat(stale).isNotCompleted();
        WireClient other = client();
        List<Peer> peers = other.await(reply -> other.wire().peers(LINE, reply));
        assertThat(peers).extracting(Peer::name).containsExactly(entry.name());
    }

    @Test
    void leave_ofAReader_tellsNoOtherReader() {
        WireClient one = client();
        WireClient two = client();
        Standing leaving = one.join(READ_WRITE, Claim.SHARED);
        Standing reader = two.join(READ_WRITE, Claim.SHARED);
        Standing writer = two.join(READ_WRITE);
        Departure departure = new Departure(READ_WRITE, leaving.name(), leaving.token(), Claim.SHARED);
        Stepped ignored = one.await(reply -> one.wire().step(List.of(departure), Optional.empty(), reply));
        assertThat(two.leave(READ_WRITE, reader).busy()).isEmpty();
        eventually(() -> assertThat(two.events).contains("cleared " + writer.name() + " " + writer.token()));
        assertThat(two.events).noneMatch(event -> event.startsWith("cleared " + reader.name()));
    }

    /** As many messages as statements that are prepared, each of which is one message. */
    @Test
    void steps_eachTakeOneMessage() throws Exception {
        WireClient tables = client();
        assertThat(tables.events).isEmpty();
        StoreDatabase.Opened opened =
                JdbcAddress.parse(uri(), Map.of()).database().open("counted", WireClient.TTL);
        var messages = new AtomicInteger();
        Connection counting = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    messages.addAndGet(method.getName().equals("prepareStatement") ? 1 : 0);
                    return method.invoke(opened.connection(), arguments);
                });
        try (Connection ended = opened.connection()) {
            StoreSteps steps = new StoreSteps(opened.dialect(), "counted", WireClient.TTL, "test");
            assertThat(steps.session.attach(counting, steps.session.incarnate(counting), true, 1, 0))
                    .isPresent();

            messages.set(0);
            Standing first = join(steps, counting, List.of(), "counted-1");
            assertThat(messages.getAndSet(0)).isEqualTo(1);
            Standing second = join(steps, counting, List.of(WireClient.departure(LINE, first)), "counted-2");
            int hint = opened.dialect().hint().isPresent() ? 1 : 0;
            assertThat(messages.getAndSet(0)).isEqualTo(1 + hint);
            assertThat(steps.lines
                            .step(counting, 1, List.of(WireClient.departure(LINE, second)), Optional.empty())
                            .busy())
                    .isEmpty();
            assertThat(messages.getAndSet(0)).isEqualTo(1 + hint);
            assertThat(steps.looks
                            .beat(counting, 1, List.of(), List.of(new Topic.Head(LINE)))
                            .overdue())
                    .isEmpty();
            assertThat(messages.get()).isEqualTo(1);
            assertThat(ended.isClosed()).isFalse();
        }
    }

    private static Standing join(StoreSteps steps, Connection connection, List<Departure> leaving, String name)
            throws Exception {
        return steps.lines
                .step(connection, 1, leaving, Optional.of(new Joining(LINE, name, Claim.EXCLUSIVE, new byte[0])))
                .joined()
                .orElseThrow();
    }

    @Test
    void step_leavesAndJoins_inOneGo() {
        WireClient one = client();
        WireClient two = client();
        Standing first = one.join(LINE);
        Standing second = two.join(LINE);
        Stepped stepped = one.await(reply -> one.wire()
                .step(
                        List.of(WireClient.departure(LINE, first)),
                        Optional.of(new Joining(LINE, one.session + "-again", Claim.EXCLUSIVE, new byte[0])),
                        reply));
        assertThat(stepped.busy()).isEmpty();
        assertThat(stepped.joined().orElseThrow().clear()).isFalse();
        eventually(() -> assertThat(two.events).contains("cleared " + second.name() + " " + second.token()));
    }

    @Test
    void session_removed_isOver() throws Exception {
        WireClient one = client();
        Standing entry = one.join(LINE);
        sql("delete from baton_session where sid = '" + one.session + "'");
        CompletableFuture<Beaten> beat = one.send(reply -> one.wire().beat(List.of(entry.name()), List.of(), reply));
        eventually(() -> assertThat(one.events).anyMatch(event -> event.startsWith("over")));
        assertThat(beat).isNotCompleted();
    }

    @Test
    void expiry_beatOfAnother_endsTheSilentOne_notBefore() throws Exception {
        WireClient silent = client();
        WireClient other = client();
        Standing entry = silent.join(LINE);
        Standing next = other.join(LINE);
        assertThat(other.look(next).clear()).isFalse();
        // As if the store's clock had gone on for long.
        sql("update baton_store set c = c + " + WireClient.TTL.toMillis());
        sql("update baton_session set beat_c = beat_c + " + WireClient.TTL.toMillis() + " where sid = '" + other.session
                + "'");
        assertThat(other.look(next).clear()).isFalse();
        sql("update baton_store set c = c + " + 2 * Sql.CAP);

        eventually(() -> {
            other.look(next);
            assertThat(other.events).contains("cleared " + next.name() + " " + next.token());
        });
        CompletableFuture<Beaten> beat =
                silent.send(reply -> silent.wire().beat(List.of(entry.name()), List.of(), reply));
        eventually(() -> assertThat(silent.events).anyMatch(event -> event.startsWith("over")));
        assertThat(beat).isNotCompleted();
    }

    @Test
    void expiry_inAFollowedLine_isToldWithoutABeatOfAnybody() {
        WireClient observer = client();
        long ignored = observer.await(reply -> observer.wire().follow(new Topic.Entries(LINE), reply));
        WireClient silent = new WireClient(uri(), Duration.ofSeconds(3));
        clients.add(silent);
        assertThat(silent.attach(true).own()).isEmpty();
        assertThat(silent.join(LINE).clear()).isTrue();
        eventually(() -> assertThat(observer.events).anyMatch(event -> event.startsWith("changed Entries")));
        observer.events.clear();

        eventually(() -> assertThat(observer.events).anyMatch(event -> event.startsWith("changed Entries")));
        List<Peer> left = observer.await(reply -> observer.wire().peers(LINE, reply));
        assertThat(left).isEmpty();
    }

    /** A line that is followed keeps a client looking at the store's clock. */
    @Test
    void unfollow_followedSeveralTimes_endsAll() {
        WireClient observer = client();
        Topic topic = new Topic.Entries(LINE);
        for (int i = 0; i < 3; i++) {
            long ignored = observer.await(reply -> observer.wire().follow(topic, reply));
        }
        observer.run(() -> observer.wire().unfollow(topic));

        AtomicLong clock = new AtomicLong();
        await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(60)).until(() -> {
            long now = number("select w from baton_store");
            return clock.getAndSet(now) == now;
        });
    }

    @Test
    void clock_steppedByAnHour_endsNobody() throws Exception {
        WireClient one = client();
        WireClient other = client();
        Standing entry = one.join(LINE);
        // What was written last lies an hour back, so the wall clock seems to have stepped.
        sql("update baton_store set w = w - 3600000", "update baton_session set beat_w = beat_w - 3600000");
        other.beat(List.of(), List.of());
        other.beat(List.of(), List.of());
        assertThat(one.look(entry).clear()).isTrue();
    }

    @Test
    void isFree_behindASilentOwner_saysSoUntilThatIsBackOrHasEnded() throws Exception {
        WireClient silent = client();
        WireClient other = client();
        Standing held = silent.join(READ_WRITE, Claim.SHARED);
        assertThat(available(other, Claim.EXCLUSIVE)).isEqualTo(Availability.TAKEN);
        assertThat(available(other, Claim.SHARED)).isEqualTo(Availability.FREE);

        sql("update baton_session set beat_w = beat_w - 60000 where sid = '" + silent.session + "'");
        assertThat(available(other, Claim.EXCLUSIVE)).isEqualTo(Availability.EXPIRING);
        assertThat(available(other, Claim.SHARED)).isEqualTo(Availability.FREE);

        assertThat(silent.look(held).clear()).isTrue();
        assertThat(available(other, Claim.EXCLUSIVE)).isEqualTo(Availability.TAKEN);

        sql("update baton_session set beat_w = beat_w - 60000 where sid = '" + silent.session + "'");
        Standing behind = client().join(READ_WRITE, Claim.SHARED);
        assertThat(behind.clear()).isTrue();
        assertThat(available(other, Claim.EXCLUSIVE)).isEqualTo(Availability.TAKEN);
    }

    private static Availability available(WireClient client, Claim claim) {
        return client.await(reply -> client.wire().isFree(READ_WRITE, claim, reply));
    }

    /** The client may live too short for a beat. */
    @Test
    void attach_othersAreOverdue_theirEntriesGo() throws Exception {
        WireClient silent = client();
        assertThat(fill(silent.session, 3, true)).hasSize(3);

        WireClient brief = client();

        eventually(() -> assertThat(entries(silent.session)).isZero());
        assertThat(brief.events).isEmpty();
    }

    /**
     * Nobody has looked at the store's clock since the owner died, so all of its ttl is still to pass. The first one to ask
     * looks for as long, and gets the lock.
     */
    @Test
    void tryAcquire_ownerDiedWhileNobodyLooked_isGranted() throws Exception {
        dieUnseen(ASKER_TTL, Duration.ofHours(1));

        assertThat(tryOnce()).isTrue();
    }

    /** An owner with a longer ttl takes longer to end than one attempt looks. */
    @Test
    void tryAcquire_ownerWithALongerTtlDiedWhileNobodyLooked_saysSoUntilItIsGranted() throws Exception {
        dieUnseen(WireClient.TTL.plus(ASKER_TTL), Duration.ofHours(1));
        AtomicInteger refused = new AtomicInteger();

        await().atMost(Duration.ofSeconds(120)).until(() -> {
            try {
                assertThat(tryOnce()).isTrue();
                return true;
            } catch (StoreUnavailableException behindTheDead) {
                refused.incrementAndGet();
                assertThat(behindTheDead).hasMessageContaining("silent for longer than their ttl");
                return false;
            }
        });
        assertThat(refused).hasPositiveValue();
    }

    /** The store has answered each second, and has not ended the dead owner yet. */
    @Test
    void tryAcquire_ownerDiedAndTheTimeIsShort_saysThatItIsSilent() throws Exception {
        dieUnseen(WireClient.TTL.plus(ASKER_TTL), Duration.ofHours(1));

        assertThatThrownBy(() -> tryOnce(Duration.ofSeconds(3)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("silent for longer than their ttl", "orders", "is not held");
    }

    /** Those who ask look only as long as they live, and their clock gains no more than that. */
    @Test
    void tryAcquire_ownerDiedDaysAgo_isGrantedToOneOfAFew() throws Exception {
        dieUnseen(WireClient.TTL, Duration.ofDays(2));

        int granted = 0;
        for (int client = 0; client < 3; client++) {
            granted += tryOnce() ? 1 : 0;
        }
        assertThat(granted).isPositive();
    }

    /** An owner has died so long ago, and nobody has looked at the store's clock since. */
    private void dieUnseen(Duration ttl, Duration ago) throws SQLException {
        WireClient owner = new WireClient(uri(), ttl);
        clients.add(owner);
        assertThat(owner.attach(true).own()).isEmpty();
        assertThat(owner.join(LINE).clear()).isTrue();
        sql(
                "update baton_session set beat_w = beat_w - " + ago.toMillis(),
                "update baton_store set w = w - " + ago.toMillis());
    }

    @Test
    void tryAcquire_afterARestart_isGrantedUnlessItSaysThatTheStoreIsQuiet() throws Exception {
        assertThat(client().events).isEmpty();
        sql("truncate table baton_incarnation");

        await().atMost(Duration.ofSeconds(120)).until(() -> {
            try {
                assertThat(tryOnce()).isTrue();
                return true;
            } catch (StoreUnavailableException quiet) {
                assertThat(quiet).hasMessageContaining("is quiet after a restart");
                return false;
            }
        });
    }

    /** Asks for the lock as a short job does. */
    private boolean tryOnce() throws InterruptedException {
        return tryOnce(Duration.ofSeconds(30));
    }

    private boolean tryOnce(Duration within) throws InterruptedException {
        var options = CoordinatorOptions.builder()
                .ttl(ASKER_TTL)
                .requestTimeout(within)
                .build();
        try (Coordinator baton = Coordinator.connect(uri(), options)) {
            Optional<Hold> hold = baton.lock("orders").tryAcquire();
            hold.ifPresent(Hold::close);
            return hold.isPresent();
        }
    }

    /** Lines are deleted while the server's wall clock is ahead, and made anew once it shows the right time again. */
    @Test
    void sweep_clockStepsBackAfterwards_tokensRise() throws Exception {
        WireClient client = client();
        sql("delete from baton_line");
        Stepped first = client.leave(LINE, client.join(LINE));
        assertThat(first.busy()).isEmpty();
        sql("update baton_line set seq = seq + " + 36_000 * Sql.JUMP);
        Standing ahead = client.join(LINE);
        assertThat(client.leave(LINE, ahead).busy()).isEmpty();

        sweep(Duration.ofHours(12));
        Standing next = client.join(LINE);
        assertThat(next.token()).isGreaterThan(ahead.token());
    }

    /** As on a server whose wall clock is ahead. */
    private void sweep(Duration ahead) throws Exception {
        StoreDatabase.Opened opened =
                JdbcAddress.parse(uri(), Map.of()).database().open("sweeper", WireClient.TTL);
        SqlDialect dialect = (SqlDialect) Proxy.newProxyInstance(
                SqlDialect.class.getClassLoader(),
                new Class<?>[] {SqlDialect.class},
                (proxy, method, values) -> method.getName().equals("wall")
                        ? "(" + opened.dialect().wall() + " + " + ahead.toMillis() + ")"
                        : method.invoke(opened.dialect(), values));
        try (Connection connection = opened.connection()) {
            new StoreSteps(dialect, "sweeper", WireClient.TTL, "sweeper").lines.sweep(connection, new byte[0]);
        }
    }

    /** A beat sweeps with a probability of 1/50. */
    @Test
    void sweep_manyOldLines_isGoneOnUntilNoneIsLeft() throws Exception {
        WireClient client = client();
        Standing standing = client.join(LINE);
        try (Connection connection = DriverManager.getConnection(uri());
                PreparedStatement insert =
                        connection.prepareStatement("insert into baton_line (path, seq) values (?, 1)")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 5_000; i++) {
                insert.setBytes(1, Sql.key(Line.of("locks/old-" + i)));
                insert.addBatch();
            }
            insert.executeBatch();
            connection.commit();
        }
        for (int beats = 0; beats < 600 && oldLines() > 0; beats += 10) {
            beatOften(client);
        }
        assertThat(oldLines()).isZero();
        assertThat(client.look(standing).clear()).isTrue();
    }

    private static void beatOften(WireClient client) {
        for (int i = 0; i < 10; i++) {
            client.beat(List.of(), List.of());
        }
    }

    private long oldLines() throws SQLException {
        return number("select count(*) from baton_line where seq = 1 and path <> ''");
    }

    /** As when a right is missing. */
    @Test
    void sweep_refusedAgainAndAgain_isReported() throws Exception {
        WireClient client = client();
        sql("alter table baton_line rename to kept_line");
        try {
            eventually(() -> {
                beatOften(client);
                assertThat(client.events).anyMatch(event -> event.startsWith("troubled Cannot delete lines"));
            });
        } finally {
            sql("alter table kept_line rename to baton_line");
        }
        eventually(() -> {
            beatOften(client);
            assertThat(client.events).contains("resolved Cannot delete lines that are empty");
        });
    }

    @Test
    void sweep_takesTooLongAgainAndAgain_isReported() throws Exception {
        WireClient client = new WireClient(uri(), Duration.ofSeconds(4));
        clients.add(client);
        assertThat(client.attach(true).own()).isEmpty();
        sql("delete from baton_line", "insert into baton_line (path, seq) values ('old', 1), ('', 0)");
        sql(slowDown("baton_line").stream()
                .map(statement -> statement.replace("0.4", "1.4"))
                .toArray(String[]::new));
        try {
            eventually(() -> {
                beatOften(client);
                assertThat(client.events).anyMatch(event -> event.startsWith("troubled Cannot delete lines"));
            });
        } finally {
            sql(speedUp("baton_line"));
        }
    }

    /** As beside a change of the table by an operator. */
    @Test
    void step_isKeptByTheDatabase_saysWhyUntilItIsAnswered() throws Exception {
        var options = CoordinatorOptions.builder().ttl(Duration.ofSeconds(20)).build();
        try (Coordinator baton = Coordinator.connect(uri(), options);
                Connection locking = DriverManager.getConnection(uri())) {
            var waiting = acquireBehindLockedLines(baton, locking);

            eventually(() -> assertThat(baton.trouble())
                    .anyMatch(trouble -> trouble.what().contains("keeps a step waiting")
                            && trouble.why().toLowerCase(Locale.ROOT).contains("lock")
                            && trouble.why().toLowerCase(Locale.ROOT).contains("timeout")));
            locking.commit();

            assertThat(waiting.get(60, TimeUnit.SECONDS)).isNotNull();
            eventually(() -> assertThat(baton.trouble()).isEmpty());
        }
    }

    @Test
    void step_isKeptAndTheContactEnds_isNoTroubleAnyMore() throws Exception {
        WireClient client = client();
        assertThat(client.leave(LINE, client.join(LINE)).busy()).isEmpty();
        try (Connection ignored = locking("update baton_line set seq = seq")) {
            CompletableFuture<Stepped> waiting = client.joinAsync(LINE);
            awaitKept(client);

            client.run(client.wire()::close);

            awaitKeptNoMore(client);
            assertThat(waiting).isNotDone();
        }
    }

    @Test
    void attach_isKeptAndThenAnswered_isNoTroubleAnyMore() throws Exception {
        WireClient client = client();
        try (Connection locking = locking("update baton_session set ttl = ttl")) {
            CompletableFuture<Attached> attached =
                    client.send(reply -> client.wire().attach(false, 0, reply));
            awaitKept(client);
            locking.commit();

            assertThat(attached.get(60, TimeUnit.SECONDS).own()).isEmpty();
            awaitKeptNoMore(client);
        }
    }

    @Test
    void step_isKeptAndThenUnwanted_isNoTroubleAnyMore() throws Exception {
        WireClient client = client();
        assertThat(transact(client, 1, List.of(), "1")).isTrue();
        AtomicBoolean wanted = new AtomicBoolean(true);
        try (Connection ignored = locking("update baton_tree set rev = rev")) {
            CompletableFuture<Boolean> written = put(client, wanted);
            awaitKept(client);

            wanted.set(false);

            assertThatThrownBy(() -> written.get(60, TimeUnit.SECONDS)).hasMessageContaining("nothing was applied");
            awaitKeptNoMore(client);
        }
    }

    @Test
    void step_isKeptAndThenRefused_isNoTroubleAnyMore() throws Exception {
        WireClient client = client();
        assertThat(transact(client, 1, List.of(), "1")).isTrue();
        try (Connection locking = locking("update baton_tree set rev = rev")) {
            CompletableFuture<Boolean> written = put(client, new AtomicBoolean(true));
            awaitKept(client);

            sql("alter table baton_record rename to kept_record");
            locking.commit();

            assertThatThrownBy(() -> written.get(60, TimeUnit.SECONDS)).hasMessageContaining("refused the step");
            awaitKeptNoMore(client);
        }
    }

    private static CompletableFuture<Boolean> put(WireClient client, AtomicBoolean wanted) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Reply<Boolean> reply = new Reply<>() {
            @Override
            public void answered(Boolean applied) {
                answer.complete(applied);
            }

            @Override
            public void refused(CoordinationException why) {
                answer.completeExceptionally(why);
            }

            @Override
            public boolean isWanted() {
                return wanted.get();
            }
        };
        client.run(() -> client.wire().transact(2, 0, List.of(), List.of(Op.put(KEY, "2")), List.of(), reply));
        return answer;
    }

    private static void awaitKept(WireClient client) {
        eventually(() ->
                assertThat(client.events).anyMatch(event -> event.startsWith("troubled The database keeps a step")));
    }

    private static void awaitKeptNoMore(WireClient client) {
        eventually(() -> assertThat(client.events).last().isEqualTo("resolved The database keeps a step waiting"));
    }

    /** Returns a connection with a transaction that has changed rows. */
    private Connection locking(String update) throws SQLException {
        Connection connection = DriverManager.getConnection(uri());
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(update)).isPositive();
        }
        return connection;
    }

    /** Others with a shorter ttl wait for the rows that it has locked. */
    @Test
    void prepare_longTtl_mayNotBeIdleInATransactionForLong() throws Exception {
        for (Duration ttl : List.of(Duration.ofMinutes(5), WireClient.TTL, LiveJdbcStore.SHORTEST_TTL)) {
            StoreDatabase.Opened opened =
                    JdbcAddress.parse(uri(), Map.of()).database().open("prepared", ttl);
            try (Connection connection = opened.connection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(longestIdle())) {
                assertThat(row.next()).isTrue();
                assertThat(row.getLong(1)).isBetween(1L, 2_000L);
            }
        }
    }

    /** Adds entries, each in a line of its own, and makes the session overdue if told so. */
    private List<Line> fill(String session, int count, boolean overdue) throws SQLException {
        List<Line> lines = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(uri());
                PreparedStatement line =
                        connection.prepareStatement("insert into baton_line (path, seq) values (?, 1000000)");
                PreparedStatement entry = connection.prepareStatement("insert into baton_entry"
                        + " (path, token, name, sid, mode, permits, downgraded, payload)"
                        + " values (?, 1000000, ?, ?, 0, 0, false, ?)")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < count; i++) {
                lines.add(Line.of("locks/of-" + session + "-" + i));
                byte[] path = Sql.key(lines.get(i));
                line.setBytes(1, path);
                line.addBatch();
                entry.setBytes(1, path);
                entry.setString(2, session + "-" + i);
                entry.setString(3, session);
                entry.setBytes(4, new byte[0]);
                entry.addBatch();
            }
            int[] ignored = line.executeBatch();
            ignored = entry.executeBatch();
            connection.commit();
        }
        if (overdue) {
            sql("update baton_session set beat_c = -1000000000 where sid = '" + session + "'");
        }
        return lines;
    }

    private long entries(String session) throws SQLException {
        return number("select count(*) from baton_entry where sid = '" + session + "'");
    }

    @Test
    void expiry_moreEntriesThanAPart_theSessionDoesNotComeBackBetweenParts() throws Exception {
        WireClient silent = client();
        WireClient other = client();
        List<Line> lines = fill(silent.session, 100, true);
        Standing next = other.join(lines.get(99));
        StoreDatabase.Opened opened =
                JdbcAddress.parse(uri(), Map.of()).database().open("operator", WireClient.TTL);
        try (Connection connection = opened.connection()) {
            assertThat(new StoreSteps(opened.dialect(), "operator", WireClient.TTL, "operator")
                            .session.expire(connection, silent.session))
                    .isFalse();
        }
        assertThat(entries(silent.session)).isBetween(1L, 99L);

        CompletableFuture<Beaten> beat = silent.send(reply -> silent.wire().beat(List.of(), List.of(), reply));
        eventually(() -> assertThat(silent.events).anyMatch(event -> event.startsWith("over")));
        silent.events.clear();
        CompletableFuture<Attached> attach = silent.send(reply -> silent.wire().attach(false, 0, reply));
        eventually(() -> assertThat(silent.events).anyMatch(event -> event.startsWith("over")));
        assertThat(beat).isNotDone();
        assertThat(attach).isNotDone();

        eventually(() -> {
            other.beat(List.of(), List.of());
            assertThat(number("select count(*) from baton_session where sid = '" + silent.session + "'"))
                    .isZero();
        });
        assertThat(entries(silent.session)).isZero();
        eventually(() -> assertThat(other.events).contains("cleared " + next.name() + " " + next.token()));
    }

    /** Not for as long as a transaction of a program keeps one of them. */
    @Test
    void expiry_oneEntryIsKept_theOthersGo() throws Exception {
        WireClient silent = client();
        WireClient other = client();
        List<Line> lines = fill(silent.session, 3, true);
        Standing next = other.join(lines.get(0));
        try (Connection keeping = DriverManager.getConnection(uri());
                Statement statement = keeping.createStatement()) {
            keeping.setAutoCommit(false);
            assertThat(statement.execute(
                            "select 1 from baton_entry where name = '" + silent.session + "-1' for update"))
                    .isTrue();
            eventually(() -> {
                other.beat(List.of(), List.of());
                assertThat(entries(silent.session)).isEqualTo(1);
            });
            eventually(() -> assertThat(other.events).contains("cleared " + next.name() + " " + next.token()));
            keeping.commit();
        }
        eventually(() -> {
            other.beat(List.of(), List.of());
            assertThat(entries(silent.session)).isZero();
        });
    }

    @Test
    void end_moreEntriesThanAPart_removesAll() throws Exception {
        WireClient one = client();
        assertThat(fill(one.session, 200, false)).hasSize(200);
        assertThat(one.<Boolean>await(reply -> one.wire().end(reply))).isTrue();
        assertThat(entries(one.session)).isZero();
    }

    /** In one transaction it takes longer than a heartbeat may. */
    @Test
    @Tag("long")
    void expiry_thousandsOfEntries_allGoAndTheClientThatEndsThemKeepsContact() throws Exception {
        WireClient silent = client();
        var options = CoordinatorOptions.builder().ttl(Duration.ofSeconds(4)).build();
        try (Coordinator beating = Coordinator.connect(uri(), options)) {
            List<SessionState> states = new CopyOnWriteArrayList<>();
            var unused = beating.onState(states::add);
            assertThat(fill(silent.session, 10_000, true)).hasSize(10_000);

            await().atMost(Duration.ofMinutes(5)).until(() -> entries(silent.session) == 0);

            assertThat(states).doesNotContain(SessionState.SUSPENDED, SessionState.LOST);
        }
    }

    @Test
    void expiry_entryIsKeptByATransaction_isReportedUntilTheEnd() throws Exception {
        WireClient silent = client();
        WireClient other = client();
        Standing entry = silent.join(LINE);
        try (Connection keeping = DriverManager.getConnection(uri());
                Statement statement = keeping.createStatement()) {
            keeping.setAutoCommit(false);
            assertThat(statement.execute("select 1 from baton_entry where name = '" + entry.name() + "' for update"))
                    .isTrue();
            sql("update baton_session set beat_c = -1000000000 where sid = '" + silent.session + "'");
            eventually(() -> {
                other.beat(List.of(), List.of());
                assertThat(other.events)
                        .contains("troubled Cannot end a session that is overdue: " + silent.session
                                + ": a transaction of a program keeps an entry");
            });
            keeping.commit();
        }
        eventually(() -> {
            other.beat(List.of(), List.of());
            assertThat(other.events).contains("resolved Cannot end a session that is overdue");
        });
    }

    @Test
    void transact_conditions_decide_andTheVerdictIsKept() {
        WireClient one = client();
        Standing entry = one.join(LINE);
        Peer peer = new Peer(LINE, entry.name(), entry.token());
        assertThat(transact(one, 1, List.of(new Condition.Stands(peer), new Condition.Absent(KEY)), "7"))
                .isTrue();
        assertThat(transact(one, 2, List.of(new Condition.Absent(KEY)), "8")).isFalse();
        var item = item(one, KEY);
        assertThat(item.text()).isEqualTo("7");
        assertThat(transact(one, 3, List.of(new Condition.Unchanged(KEY, item.revision())), "9"))
                .isTrue();
        // Sent again, it is not applied again.
        assertThat(transact(one, 3, List.of(new Condition.Unchanged(KEY, item.revision())), "10"))
                .isTrue();
        assertThat(item(one, KEY).text()).isEqualTo("9");
        assertThat(one.attach(false).verdicts())
                .containsEntry(1L, true)
                .containsEntry(3L, true)
                .doesNotContainKey(2L);
        assertThat(one.leave(LINE, entry).busy()).isEmpty();
        assertThat(transact(one, 4, List.of(new Condition.Stands(peer)), "11")).isFalse();
    }

    /** A step that waits until the other connection, which has locked the rows of all lines, commits. */
    private static CompletableFuture<Hold> acquireBehindLockedLines(Coordinator baton, Connection locking)
            throws Exception {
        baton.lock("orders").acquire().close();
        locking.setAutoCommit(false);
        try (Statement statement = locking.createStatement()) {
            assertThat(statement.executeUpdate("update baton_line set seq = seq"))
                    .isPositive();
        }
        return baton.lock("orders").acquireAsync();
    }

    /** It would come over what others have written since its caller was told. */
    @Test
    void transact_failedWhileItWasQueued_isNotSentAfterwards() throws Exception {
        var options = CoordinatorOptions.builder()
                .ttl(Duration.ofSeconds(30))
                .requestTimeout(Duration.ofSeconds(2))
                .build();
        try (Coordinator baton = Coordinator.connect(uri(), options);
                Connection locking = DriverManager.getConnection(uri())) {
            var waiting = acquireBehindLockedLines(baton, locking);
            assertThatThrownBy(() -> baton.records("stock").put("late", "1"))
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("no answer within");
            locking.commit();

            assertThat(waiting.get(60, TimeUnit.SECONDS)).isNotNull();
            eventually(() -> baton.records("stock").put("next", "1"));

            assertThat(baton.records("stock").get("late")).isEmpty();
        }
    }

    @Test
    void transact_severalTrees_isOneRevision() {
        WireClient one = client();
        RecordKey head = new RecordKey("config", ".head");
        RecordKey history = new RecordKey("config.history", "1");
        assertThat(transact(one, 1, List.of(), new RecordKey("config", "y"), "something"))
                .isTrue();
        Snapshot before = one.await(reply -> one.wire().snapshot("config", reply));
        boolean written = one.await(reply -> one.wire()
                .transact(
                        2,
                        0,
                        List.of(new Condition.Absent(head), new Condition.Absent(history), new Condition.Absent(head)),
                        List.of(Op.put(history, "a"), Op.put(head, "b"), Op.delete(new RecordKey("config", "x"))),
                        List.of(),
                        reply));
        assertThat(written).isTrue();
        assertThat(item(one, history).revision().order())
                .isEqualTo(item(one, head).revision().order());
        Optional<Changes> changes =
                one.await(reply -> one.wire().changesSince("config", before.at().revision(), reply));
        assertThat(changes.orElseThrow().put()).hasSize(1);
    }

    @Test
    void transact_removal_tellsTheOwnerAndClearsTheNext() {
        WireClient owner = client();
        WireClient next = client();
        WireClient operator = client();
        Standing entry = owner.join(LINE);
        Standing waiting = next.join(LINE);
        Peer peer = new Peer(LINE, entry.name(), entry.token());
        boolean removed =
                operator.await(reply -> operator.wire().transact(1, 0, List.of(), List.of(), List.of(peer), reply));
        assertThat(removed).isTrue();
        eventually(() -> assertThat(next.events).contains("cleared " + waiting.name() + " " + waiting.token()));
        assertThat(owner.beat(List.of(entry.name()), List.of()).own()).isEmpty();
        boolean again =
                operator.await(reply -> operator.wire().transact(2, 0, List.of(), List.of(), List.of(peer), reply));
        assertThat(again).isFalse();
    }

    @Test
    void tree_changes_areComplete_andFollowed() {
        WireClient writer = client();
        WireClient reader = client();
        assertThat(transact(writer, 1, List.of(), "v1")).isTrue();
        long before = reader.await(reply -> reader.wire().follow(new Topic.Tree("stock"), reply));
        Snapshot snapshot = reader.await(reply -> reader.wire().snapshot("stock", reply));
        assertThat(snapshot.items()).extracting(io.baton.Item::text).containsExactly("v1");
        assertThat(snapshot.at().revision()).isEqualTo(before);
        for (int n = 2; n <= 6; n++) {
            assertThat(transact(writer, n, List.of(), "v" + n)).isTrue();
        }
        eventually(() -> assertThat(reader.events).anyMatch(event -> event.startsWith("changed Tree")));
        Changes changes = reader.<Optional<Changes>>await(reply -> reader.wire().changesSince("stock", before, reply))
                .orElseThrow();
        assertThat(changes.put()).extracting(io.baton.Item::text).containsExactly("v6");
        assertThat(changes.revision()).isEqualTo(before + 5);
        Optional<Changes> none = reader.await(reply -> reader.wire().changesSince("stock", before + 5, reply));
        assertThat(none.orElseThrow().put()).isEmpty();
        Optional<Changes> unknown = reader.await(reply -> reader.wire().changesSince("stock", before - 3, reply));
        assertThat(unknown).isEmpty();
    }

    /** Reading it again at once would keep all other steps waiting, until the contact breaks. */
    @Test
    void tree_readTakesTooLong_isReportedAndTheContactIsKept() throws Exception {
        RecordKey slow = new RecordKey("slow", "a");
        assertThat(transact(client(), 1, List.of(), slow, "v")).isTrue();
        var options = CoordinatorOptions.builder().ttl(Duration.ofSeconds(6)).build();
        try (Coordinator baton = Coordinator.connect(uri(), options)) {
            List<SessionState> states = new CopyOnWriteArrayList<>();
            List<String> seen = new CopyOnWriteArrayList<>();
            var unused = baton.onState(states::add);
            sql(
                    "alter table baton_record rename to kept_record",
                    "create view baton_record as select r.* from kept_record r cross join " + longWait());
            try {
                var ignored = baton.records("slow").observe("", follower(seen));
                for (int i = 0; i < 5; i++) {
                    baton.lock("beside").acquire().close();
                }
                eventually(() -> assertThat(baton.trouble())
                        .anyMatch(trouble -> trouble.what().startsWith("Cannot follow")
                                && trouble.why().contains("reading 'slow'")));
            } finally {
                sql("drop view baton_record", "alter table kept_record rename to baton_record");
            }
            eventually(() -> assertThat(seen).contains("v"));
            eventually(() -> assertThat(baton.trouble()).isEmpty());
            assertThat(states).doesNotContain(SessionState.SUSPENDED, SessionState.LOST);
        }
    }

    private static RecordsListener follower(List<String> seen) {
        return new RecordsListener() {
            @Override
            public void snapshot(Map<String, io.baton.Item> all, Position at) {
                all.values().forEach(item -> seen.add(item.text()));
            }

            @Override
            public void changed(List<io.baton.Item> put, List<String> deleted, long revision) {}
        };
    }

    @Test
    void head_followed_isToldOfEachChange() {
        WireClient one = client();
        WireClient observer = client();
        long empty = observer.await(reply -> observer.wire().follow(new Topic.Head(LINE), reply));
        Standing first = one.join(LINE);
        eventually(() -> assertThat(observer.events).anyMatch(event -> event.startsWith("changed Head")));
        long held = observer.beat(List.of(), List.of(new Topic.Head(LINE)))
                .versions()
                .get(new Topic.Head(LINE));
        assertThat(held).isNotEqualTo(empty);
        observer.events.clear();
        assertThat(one.leave(LINE, first).busy()).isEmpty();
        eventually(() -> assertThat(observer.events).anyMatch(event -> event.startsWith("changed Head")));
        // Or who was read a moment ago as the first, and whose event was lost, would seem to stand for ever.
        assertThat(observer.beat(List.of(), List.of(new Topic.Head(LINE))).versions())
                .doesNotContainValue(empty)
                .doesNotContainValue(held);
    }

    @Test
    void crash_raisesTheGenerationAndTokens_andIsQuiet() throws Exception {
        WireClient one = client();
        Standing entry = one.join(LINE);
        String history = one.attach(false).history();
        crash();
        // Without pushes a broken connection is noticed by the next beat.
        CompletableFuture<Beaten> beat = one.send(reply -> one.wire().beat(List.of(), List.of(), reply));
        eventually(() -> assertThat(one.events).anyMatch(event -> event.startsWith("disconnected")));
        assertThat(beat).isNotCompleted();
        Attached attached = one.attach(false);
        assertThat(attached.history()).isNotEqualTo(history);
        assertThat(attached.quiet()).isGreaterThan(Duration.ZERO);
        WireClient other = client();
        assertThat(other.join(LINE).token()).isGreaterThanOrEqualTo(entry.token() + Sql.JUMP);
        assertThat(one.attach(false).history()).isEqualTo(attached.history());
    }

    /** With very many lines it takes longer than any other statement may, and than a server may be silent. */
    @Test
    void incarnation_raisesTheLinesForLong_isNotLimitedInTime() throws Exception {
        WireClient before = client();
        for (int i = 0; i < 8; i++) {
            before.join(Line.of("locks/line-" + i));
        }
        sql(slowDown("baton_line").toArray(String[]::new));
        try {
            sql("delete from baton_incarnation");
            StoreDatabase impatient = new StoreDatabase(
                    () -> impatient(JdbcAddress.parse(uri(), Map.of())
                            .database()
                            .connector()
                            .open()),
                    StoreSchema.CREATE,
                    Survival.PRIMARY_DISK);
            WireClient after = new WireClient(impatient, Duration.ofSeconds(2));
            clients.add(after);

            assertThat(after.attach(true).quiet()).isGreaterThan(Duration.ZERO);
        } finally {
            sql(speedUp("baton_line"));
        }
    }

    /** A connection that waits for a silent server for a tenth of the time that it is told. */
    private static Connection impatient(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                WireContract.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, values) -> {
                    try {
                        return method.getName().equals("setNetworkTimeout")
                                ? method.invoke(connection, values[0], (int) values[1] / 10)
                                : method.invoke(connection, values);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    /** Or the next attach would raise them all anew. */
    @Test
    void incarnation_attachIsGivenUp_isCompletedAllTheSame() throws Exception {
        WireClient before = client();
        for (int i = 0; i < 8; i++) {
            before.join(Line.of("locks/line-" + i));
        }
        long generation = number("select generation from baton_store");
        sql(slowDown("baton_line").toArray(String[]::new));
        try {
            sql("delete from baton_incarnation");
            WireClient after = new WireClient(uri(), WireClient.TTL);
            clients.add(after);
            CompletableFuture<Attached> givenUp =
                    after.send(reply -> after.wire().attach(true, 0, reply));
            String lock = "select count(*) from (select id from baton_store for update skip locked) free";
            await().during(Duration.ofMillis(200))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> number(lock) == 0);
            after.run(after.wire()::close);

            eventually(() -> assertThat(number(lock)).isEqualTo(1));
            assertThat(givenUp).isNotDone();
        } finally {
            sql(speedUp("baton_line"));
        }
        assertThat(number("select generation from baton_store")).isEqualTo(generation + 1);
    }

    long number(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }

    /** As behind a router that drops idle flows: the next step would hang, and no beat says so. */
    @Test
    void work_idleAndSwallowed_isNoticedBeforeTheNextStep() throws Exception {
        String uri = uri();
        Matcher port = Pattern.compile("//127.0.0.1:(\\d+)/").matcher(uri);
        assertThat(port.find()).isTrue();
        AtomicInteger attempts = new AtomicInteger();
        try (TcpProxy proxy = TcpProxy.to(Loopback.at(Integer.parseInt(port.group(1))))) {
            String behind = uri.replace(":" + port.group(1) + "/", ":" + proxy.port() + "/");
            StoreDatabase database = new StoreDatabase(
                    () -> DriverManager.getConnection(attempts.incrementAndGet() == 1 ? behind : uri),
                    StoreSchema.CREATE,
                    Survival.PRIMARY_DISK);
            WireClient client = new WireClient(database, Duration.ofSeconds(2));
            clients.add(client);
            Attached ignored = client.attach(true);
            Standing standing = client.join(LINE);

            proxy.hold();

            eventually(() -> {
                CompletableFuture<Beaten> beat =
                        client.send(reply -> client.wire().beat(List.of(standing.name()), List.of(), reply));
                assertThat(client.events).anyMatch(event -> event.startsWith("disconnected"));
                assertThat(beat).isNotDone();
            });
        }
    }

    /** A pool counts as used what is not closed, whether it is aborted or not. */
    @Test
    void contact_brokenAgainAndAgain_leavesNoConnectionInUse() {
        AtomicInteger used = new AtomicInteger();
        StoreDatabase database = new StoreDatabase(
                () -> counted(DriverManager.getConnection(uri()), used), StoreSchema.CREATE, Survival.PRIMARY_DISK);
        WireClient client = new WireClient(database, WireClient.TTL);
        clients.add(client);
        for (int i = 0; i < 5; i++) {
            Attached ignored = client.attach(i == 0);
            eventually(() -> assertThat(used).hasValue(2));
        }

        client.run(client.wire()::close);

        eventually(() -> assertThat(used).hasValue(0));
    }

    /** The first of its two connections is there by then. */
    @Test
    void contact_givenUpWhileItConnects_leavesNoConnectionInUse() {
        AtomicInteger used = new AtomicInteger();
        AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<Void> accepted = new CompletableFuture<>();
        StoreDatabase database = new StoreDatabase(
                () -> {
                    if (attempts.incrementAndGet() == 2) {
                        accepted.join();
                    }
                    return counted(DriverManager.getConnection(uri()), used);
                },
                StoreSchema.CREATE,
                Survival.PRIMARY_DISK);
        WireClient client = new WireClient(database, WireClient.TTL);
        clients.add(client);
        CompletableFuture<Attached> givenUp = client.send(reply -> client.wire().attach(true, 0, reply));
        eventually(() -> assertThat(attempts).hasValue(2));
        Attached ignored = client.attach(true);

        accepted.complete(null);
        eventually(() -> assertThat(used).hasValue(2));
        client.run(client.wire()::close);

        eventually(() -> assertThat(used).hasValue(0));
        assertThat(givenUp).isNotDone();
    }

    /** Counts a connection as used until it is closed. */
    private static Connection counted(Connection connection, AtomicInteger used) {
        used.incrementAndGet();
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                WireContract.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, values) -> {
                    if (method.getName().equals("close") && !closed.getAndSet(true)) {
                        used.decrementAndGet();
                    }
                    try {
                        return method.invoke(connection, values);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    /** A server that many come back to at once has enough to do with those that still want to. */
    @Test
    void attach_givenUpWhileItConnects_leavesNoConnectionAndOpensNoOther() throws Exception {
        List<Connection> opened = new CopyOnWriteArrayList<>();
        AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<Void> accepted = new CompletableFuture<>();
        StoreDatabase database = new StoreDatabase(
                () -> {
                    if (attempts.incrementAndGet() == 1) {
                        accepted.join();
                    }
                    Connection connection = DriverManager.getConnection(uri());
                    opened.add(connection);
                    return connection;
                },
                StoreSchema.CREATE,
                Survival.PRIMARY_DISK);
        WireClient client = new WireClient(database, WireClient.TTL);
        clients.add(client);
        CompletableFuture<Attached> givenUp = client.send(reply -> client.wire().attach(true, 0, reply));
        eventually(() -> assertThat(attempts).hasValue(1));
        client.attach(true);
        assertThat(opened).hasSize(2);

        accepted.complete(null);

        eventually(() -> assertThat(opened).hasSize(3));
        eventually(() -> assertThat(opened.get(2).isClosed()).isTrue());
        assertThat(attempts).hasValue(3);
        assertThat(givenUp).isNotDone();
        assertThat(opened.get(0).isClosed()).isFalse();
    }

    /**
     * As after a fail-over and another, to a server that knows nothing of the first: both raise the same numbers. Or as
     * after a dump was loaded into a running server, and the marker removed.
     */
    @Test
    void incarnation_anotherOneIsLost_hasAnotherHistoryAndOtherNumbers() throws Exception {
        RecordKey fresh = new RecordKey("fresh", "a");
        WireClient one = client();
        assertThat(transact(one, 1, List.of(), "known to both")).isTrue();
        sql(
                "create table kept_store as select * from baton_store",
                "create table kept_tree as select * from baton_tree",
                "truncate table baton_incarnation");
        String lost = one.attach(false).history();
        assertThat(transact(one, 2, List.of(), KEY, "lost")).isTrue();
        assertThat(transact(one, 3, List.of(), fresh, "lost")).isTrue();
        Standing entry = one.join(LINE);
        List<Condition> unchanged = List.of(
                new Condition.Unchanged(KEY, item(one, KEY).revision()),
                new Condition.Unchanged(fresh, item(one, fresh).revision()));
        // Numbers rise with the servers' clocks, by as many a second as an incarnation adds.
        long later = System.currentTimeMillis() + 2_000;
        await().until(() -> System.currentTimeMillis() > later);
        sql(
                "update baton_store set generation = (select generation from kept_store),"
                        + " history = (select history from kept_store)",
                "delete from baton_tree where tree not in (select tree from kept_tree)",
                "update baton_tree set rev = (select rev from kept_tree)",
                "delete from baton_verdict",
                "delete from baton_record",
                "delete from baton_change",
                "delete from baton_entry",
                "delete from baton_line",
                "truncate table baton_incarnation");

        assertThat(one.attach(false).history()).isNotEqualTo(lost);
        assertThat(one.join(LINE).token()).isGreaterThan(entry.token());
        assertThat(transact(one, 4, List.of(), KEY, "another")).isTrue();
        assertThat(transact(one, 5, List.of(), fresh, "another")).isTrue();

        for (int i = 0; i < unchanged.size(); i++) {
            assertThat(transact(one, 6 + i, List.of(unchanged.get(i)), "for what is lost"))
                    .isFalse();
        }
    }

    /** Of a hold that was lost before, whose session is not known any more. */
    @Test
    void incarnation_whileQuiet_doesNotEndThatEarlier() throws Exception {
        WireClient unused = client();
        sql(
                "update baton_store set quiet_until = c + 600000, max_ttl = 0",
                "delete from baton_session",
                "truncate table baton_incarnation");

        assertThat(client().attach(false).quiet()).isGreaterThan(Duration.ofMinutes(5));
    }

    private static io.baton.Item item(WireClient client, RecordKey key) {
        return client.<Optional<io.baton.Item>>await(reply -> client.wire().get(key, reply))
                .orElseThrow();
    }

    /** Long ones are cut off in keys, and a database may compare text without its case, accents and last spaces. */
    @Test
    void paths_alike_areLinesOfTheirOwn() {
        String x = "x".repeat(3000);
        WireClient one = client();
        List<Line> alike = Stream.of(x + "a", x + "b", "name", "Name", "nàme", "name ", "name%")
                .map(path -> Line.of("locks/" + path))
                .toList();
        for (Line line : alike) {
            assertThat(one.join(line).clear()).as("first in %s", line).isTrue();
        }
        for (Line line : alike) {
            assertThat(one.join(line).clear()).as("second in %s", line).isFalse();
        }
    }

    @Test
    void end_removesEntriesAndClearsTheNext() {
        WireClient one = client();
        WireClient two = client();
        Standing ignored = one.join(LINE);
        Standing next = two.join(LINE);
        assertThat(one.<Boolean>await(reply -> one.wire().end(reply))).isTrue();
        eventually(() -> assertThat(two.events).contains("cleared " + next.name() + " " + next.token()));
    }

    private static boolean transact(WireClient client, long n, List<Condition> conditions, String value) {
        return transact(client, n, conditions, KEY, value);
    }

    private static boolean transact(
            WireClient client, long n, List<Condition> conditions, RecordKey key, String value) {
        return client.await(
                reply -> client.wire().transact(n, 0, conditions, List.of(Op.put(key, value)), List.of(), reply));
    }
}
