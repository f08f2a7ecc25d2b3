package io.baton.recipes.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.LineAccess;
import io.baton.recipe.LineMember;
import io.baton.recipe.LineMembers;
import io.baton.recipe.Membership;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.RecordAccess;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.DoubleBarrier;
import io.baton.recipes.DoubleBarrierRound;
import io.baton.recipes.GroupMember;
import io.baton.recipes.internal.DoubleBarrierRecord.Round;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.testkit.sim.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A party whose requests are answered when the test says so, and that is told what the test says. */
@Timeout(60)
@SuppressWarnings({"unchecked", "resource"})
class DoubleBarrierPartyTest {

    private static final RecordKey KEY = new RecordKey(DoubleBarrier.TREE, "batch");
    private static final Line LINE = Line.of("baton.inside/batch", Line.Kind.PERMITS);
    private static final GroupMember OTHER = new GroupMember("other", new byte[0], "web-2", 7);
    private static final Duration TURN = Duration.ofSeconds(1);

    /** A write that was sent. */
    private record Write(
            List<String> standing, List<String> removed, Item written, CompletableFuture<Boolean> answer) {}

    private final VirtualLoop loop = new VirtualLoop();
    private final List<CompletableFuture<Optional<Item>>> reads = new ArrayList<>();
    private final List<CompletableFuture<List<LineMember>>> listings = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private final List<Membership.Listener> entries = new ArrayList<>();
    private Consumer<Optional<Item>> record = now -> {};
    private Consumer<LineMembers> line = now -> {};
    private GroupMember me = OTHER;
    private PartyWait<DoubleBarrierRound> entering;

    @BeforeEach
    void begin() {
        LineAccess lines = Stub.of(
                LineAccess.class,
                Map.of(
                        "join",
                        arguments -> {
                            entries.add((Membership.Listener) arguments[1]);
                            return membership("entry " + entries.size());
                        },
                        "members",
                        arguments -> {
                            listings.add(new CompletableFuture<>());
                            return listings.get(listings.size() - 1);
                        },
                        "observeMembers",
                        arguments -> {
                            line = (Consumer<LineMembers>) arguments[1];
                            return (Subscription) () -> {};
                        }));
        RecordAccess records = Stub.of(
                RecordAccess.class,
                Map.of(
                        "read",
                        arguments -> {
                            reads.add(new CompletableFuture<>());
                            return reads.get(reads.size() - 1);
                        },
                        "observe",
                        arguments -> {
                            record = (Consumer<Optional<Item>>) arguments[1];
                            return (Subscription) () -> {};
                        },
                        "write",
                        arguments -> written(arguments)));
        RecipeContext context = Stub.of(
                RecipeContext.class,
                Map.of(
                        "loop", arguments -> new ClientLoop(loop),
                        "lines", arguments -> lines,
                        "records", arguments -> records,
                        "callbacks", arguments -> new DirectCallbacks(),
                        "host", arguments -> "web-1",
                        "requestTimeout", arguments -> Duration.ofSeconds(10),
                        "inContact", arguments -> true,
                        "state", arguments -> SessionState.CONNECTED,
                        "beforeClosing", arguments -> (Subscription) () -> {}));
        entering = DoubleBarrierParty.enter(context, "batch", 2);
        loop.run();
        answer(DoubleBarrierRecord.begin(2));
        tell(DoubleBarrierRecord.begin(2));
    }

    /** Runs what is to be run at once. */
    private static final class DirectCallbacks implements Callbacks {

        @Override
        public boolean run(Runnable task) {
            task.run();
            return true;
        }

        @Override
        public boolean runUrgently(Runnable task) {
            return run(task);
        }

        @Override
        public void runReliably(Runnable task) {
            task.run();
        }

        @Override
        public boolean abandoned() {
            return false;
        }
    }

    private Membership membership(String name) {
        return Stub.of(
                Membership.class,
                Map.of(
                        "publish",
                        arguments -> {
                            me = GroupEntry.decode((byte[]) arguments[0]).orElseThrow();
                            return null;
                        },
                        "close",
                        arguments -> {
                            closed.add(name);
                            return CompletableFuture.completedFuture(null);
                        }));
    }

    private CompletableFuture<Boolean> written(Object[] arguments) {
        byte[] value = ((List<Op>) arguments[3])
                .stream().map(op -> ((Op.Put) op).value()).findFirst().orElse(new byte[0]);
        var write = new Write(
                names((List<LineMember>) arguments[2]),
                names((List<LineMember>) arguments[4]),
                new Item(KEY, value, () -> 1L),
                new CompletableFuture<>());
        writes.add(write);
        return write.answer();
    }

    private static List<String> names(List<LineMember> members) {
        return members.stream()
                .map(each -> GroupEntry.decode(each.payload()).orElseThrow())
                .map(each -> each.text().isEmpty() ? each.id() : each.id() + " " + each.text())
                .toList();
    }

    private void answer(DoubleBarrierRecord value) {
        reads.get(reads.size() - 1).complete(Optional.of(item(value)));
        loop.run();
    }

    private static Item item(DoubleBarrierRecord value) {
        return new Item(KEY, value.encode(), () -> 1L);
    }

    private void tell(DoubleBarrierRecord value) {
        record.accept(Optional.of(item(value)));
        loop.run();
    }

    private void tellLine(LineMember... members) {
        line.accept(new LineMembers(List.of(members), true));
        loop.run();
    }

    private static LineMember entry(GroupMember party, String data) {
        byte[] payload = GroupEntry.encode(GroupEntry.with(party, data.getBytes(UTF_8)));
        return new LineMember(new Entry(new Peer(LINE, party.id() + data, 1), 1, payload, "session"));
    }

    private DoubleBarrierRecord entered() {
        return DoubleBarrierRecord.begin(2).entered(List.of("other", me.id()));
    }

    private static Round inside(DoubleBarrierRecord record) {
        return record.inside().orElseThrow();
    }

    private DoubleBarrierRound round() throws InterruptedException {
        assertThat(entering.outcome()).isDone();
        return Futures.interruptibly(entering.outcome());
    }

    /** It would leave alone, or break what stands, if what it was told of the line were believed. */
    @Test
    void end_listOlderThanTheRecord_isReadAgainAndBreaksNothing() {
        tellLine(entry(me, ""));
        tell(entered());
        loop.pass(TURN);
        assertThat(listings).hasSize(1);
        assertThat(writes).isEmpty();

        listings.get(0).complete(List.of(entry(OTHER, ""), entry(me, "")));
        loop.pass(Duration.ofMillis(100));

        assertThat(writes).isEmpty();
    }

    @Test
    void end_aPartyHasGone_isBrokenByWhatIsReadNow() throws InterruptedException {
        tellLine(entry(me, ""));
        tell(entered());
        loop.pass(TURN);
        listings.get(0).complete(List.of(entry(me, "")));
        loop.run();

        assertThat(writes.get(0).removed()).containsExactly(me.id());
        assertThat(entering.outcome()).isDone();
        Round broken =
                DoubleBarrierRecord.decode(writes.get(0).written()).rounds().get(0);
        assertThat(broken.ended()).isTrue();
        assertThat(broken.by()).isEqualTo("other");
        writes.get(0).answer().complete(true);
        loop.run();
        assertThat(outcome(round().leaveAsync()).passed()).isFalse();
    }

    /** Another verdict was written while the list was read: what was decided before does not count. */
    @Test
    void end_recordChangesWhileTheListIsRead_writesNothing() {
        tellLine(entry(me, ""));
        tell(entered());
        loop.pass(TURN);
        tell(entered().notEntered(List.of("third"), "third", "gone"));
        listings.get(0).complete(List.of(entry(me, "")));
        loop.run();

        assertThat(writes).isEmpty();
    }

    @Test
    void entry_decided_restsOnAnEntryOfEachAndLeavesThem() {
        tellLine(entry(OTHER, ""), entry(me, ""));

        assertThat(writes).hasSize(1);
        assertThat(writes.get(0).standing()).containsExactly("other", me.id());
        assertThat(writes.get(0).removed()).isEmpty();
        assertThat(entering.outcome()).isNotDone();
    }

    /** It may be left over from a round that is not kept any more. */
    @Test
    void entry_ofAPartyThatIsReadyToLeave_isNoComer() {
        tellLine(entry(OTHER, "ready"), entry(me, ""));
        loop.pass(TURN);

        assertThat(writes).isEmpty();
    }

    @Test
    void end_decided_restsOnBothEntriesOfEachAndRemovesThem() throws InterruptedException {
        GroupMember own = me;
        tell(entered());
        assertThat(round().leaveAsync()).isNotDone();
        loop.run();
        tellLine(entry(OTHER, ""), entry(own, ""), entry(own, "ready"));
        assertThat(writes).isEmpty();

        tellLine(entry(OTHER, ""), entry(own, ""), entry(OTHER, "ready"), entry(own, "ready"));

        assertThat(writes).hasSize(1);
        assertThat(writes.get(0).removed()).containsExactly("other", own.id(), "other ready", own.id() + " ready");
    }

    /** The answer of its own write is lost, and the record says what was decided. */
    @Test
    void end_writeNotAnswered_isWhatTheRecordSays() throws InterruptedException {
        GroupMember own = me;
        tell(entered());
        CompletableFuture<BarrierRound> leaves = round().leaveAsync();
        loop.run();
        tellLine(entry(OTHER, ""), entry(own, ""), entry(OTHER, "ready"), entry(own, "ready"));
        writes.get(0).answer().completeExceptionally(new OutcomeUnknownException("no answer"));
        loop.run();
        assertThat(leaves).isNotDone();

        me = own;
        tell(entered().left(inside(entered())));

        assertThat(outcome(leaves).passed()).isTrue();
        assertThat(closed).containsExactly("entry 2", "entry 1");
    }

    @Test
    void gone_insideWithoutAVerdict_entersAndFailsToLeave() throws InterruptedException {
        entries.get(0).gone("somebody removed it");
        assertThat(closed).containsExactly("entry 1");
        assertThat(entering.outcome()).isNotDone();

        answer(entered());

        assertThat(round().entry().passed()).isTrue();
        assertThatThrownBy(() -> outcome(round().leaveAsync()))
                .isInstanceOf(SessionLostException.class)
                .hasMessageContaining("somebody removed it");
        assertThat(entries).hasSize(1);
    }

    @Test
    void gone_afterAllHaveLeft_hasLeftWithThem() throws InterruptedException {
        GroupMember own = me;
        tell(entered());
        CompletableFuture<BarrierRound> leaves = round().leaveAsync();
        loop.run();
        me = own;
        entries.get(1).gone("its session ended");
        answer(entered().left(inside(entered())));

        assertThat(outcome(leaves).passed()).isTrue();
    }

    /** It may have been in one of those that were entered. */
    @Test
    void gone_asManyRoundsAsAreKeptLater_isUnknown() {
        entries.get(0).gone("its session ended");
        answer(asManyAsAreKept(DoubleBarrierRecord.begin(2)));

        assertThatThrownBy(this::round)
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("its session ended");
    }

    /** It stood there when the others were ready, so they may have left together. */
    @Test
    void gone_readyToLeaveAndAsManyRoundsLater_isUnknown() throws InterruptedException {
        tell(entered());
        CompletableFuture<BarrierRound> leaves = round().leaveAsync();
        loop.run();
        entries.get(1).gone("its session ended");
        answer(asManyAsAreKept(entered().left(inside(entered()))));

        assertThatThrownBy(() -> outcome(leaves))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("its session ended");
    }

    @Test
    void gone_insideAndNotReadyToLeave_isBrokenHoweverLate() throws InterruptedException {
        tell(entered());
        entries.get(0).gone("its session ended");
        answer(asManyAsAreKept(entered().left(inside(entered()))));

        assertThatThrownBy(() -> outcome(round().leaveAsync())).isInstanceOf(SessionLostException.class);
    }

    private static DoubleBarrierRecord asManyAsAreKept(DoubleBarrierRecord record) {
        DoubleBarrierRecord later = record;
        for (int i = 0; i <= DoubleBarrier.KEPT_ROUNDS; i++) {
            later = later.entered(List.of("other", "another"));
            later = later.left(inside(later));
        }
        return later;
    }

    /** Nobody would leave, and the others would wait for ever. */
    @Test
    void abandon_thenEntered_breaksTheEnd() {
        entering.abandons().accept("it was cancelled");
        loop.run();
        tell(entered());
        tellLine(entry(me, ""));
        assertThat(writes).isEmpty();
        listings.get(0).complete(List.of());
        loop.run();
        assertThat(writes).as("it has been told more than was read").isEmpty();
        listings.get(1).complete(List.of(entry(OTHER, ""), entry(me, "")));
        loop.run();

        assertThat(writes.get(0).removed()).containsExactly("other", me.id());
        Round broken =
                DoubleBarrierRecord.decode(writes.get(0).written()).rounds().get(0);
        assertThat(broken.entered()).isTrue();
        assertThat(broken.by()).isEqualTo(me.id());
    }

    /** The one that decides is told by the record before its write is answered, and its caller goes at once. */
    @Test
    void abandon_whileTheOwnVerdictIsNotAnswered_isNotForgotten() throws InterruptedException {
        tellLine(entry(OTHER, ""), entry(me, ""));
        tell(entered());
        round().close();
        loop.run();
        listings.get(0).complete(List.of(entry(OTHER, ""), entry(me, "")));
        loop.run();
        assertThat(writes).hasSize(1);

        writes.get(0).answer().complete(true);
        loop.run();

        assertThat(writes).hasSize(2);
        assertThat(writes.get(1).removed()).containsExactly("other", me.id());
    }

    /** All were there first, so it is inside, and its caller is told. */
    @Test
    void goes_thenEntered_isInside() throws InterruptedException {
        entering.goes().accept("its time was over");
        loop.run();
        tell(entered());
        tellLine(entry(OTHER, ""), entry(me, ""));
        listings.get(0).complete(List.of(entry(OTHER, ""), entry(me, "")));
        loop.run();

        assertThat(round().entry().passed()).isTrue();
        loop.pass(Duration.ofMinutes(1));
        assertThat(writes).isEmpty();
        assertThat(closed).isEmpty();
    }

    @Test
    void goes_storeDoesNotAnswer_isUnknownAfterARequestsTime() {
        entering.goes().accept("its time was over");
        loop.pass(Duration.ofSeconds(9));
        assertThat(entering.outcome()).isNotDone();

        loop.pass(Duration.ofSeconds(1));

        assertThatThrownBy(this::round)
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("its time was over");
        assertThat(closed).containsExactly("entry 1");
    }

    private static BarrierRound outcome(CompletableFuture<BarrierRound> leaving) throws InterruptedException {
        assertThat(leaving).isDone();
        return Futures.interruptibly(leaving);
    }
}
