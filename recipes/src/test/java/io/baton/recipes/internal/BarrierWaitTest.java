package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.MembershipState;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.LineAccess;
import io.baton.recipe.LineMember;
import io.baton.recipe.LineMembers;
import io.baton.recipe.Membership;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.RecordAccess;
import io.baton.recipe.Resource;
import io.baton.recipes.Barrier;
import io.baton.recipes.BarrierRound;
import io.baton.spi.Entry;
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

/** A party whose reads are answered when the test says so. */
@Timeout(60)
class BarrierWaitTest {

    private static final RecordKey KEY = new RecordKey(Barrier.TREE, "load");

    private final VirtualLoop loop = new VirtualLoop();
    private final List<CompletableFuture<Optional<Item>>> reads = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private final List<CompletableFuture<List<LineMember>>> looks = new ArrayList<>();
    private final CompletableFuture<Boolean> written = new CompletableFuture<>();
    private Consumer<Optional<Item>> record = now -> {};
    private Consumer<LineMembers> line = now -> {};
    private byte[] published = {};
    private Membership.Listener party = Membership.Listener.NONE;
    private String id = "";
    private BarrierWait wait;

    @BeforeEach
    @SuppressWarnings("unchecked") // of listeners
    void begin() {
        Membership membership = Stub.of(
                Membership.class,
                Map.of(
                        "publish",
                                arguments -> {
                                    published = (byte[]) arguments[0];
                                    id = GroupEntry.decode(published)
                                            .orElseThrow()
                                            .id();
                                    done.add("join");
                                    return null;
                                },
                        "close",
                                arguments -> {
                                    done.add("close");
                                    return CompletableFuture.completedFuture(null);
                                }));
        LineAccess lines = Stub.of(
                LineAccess.class,
                Map.of(
                        "join",
                                arguments -> {
                                    party = (Membership.Listener) arguments[1];
                                    return membership;
                                },
                        "members",
                                arguments -> {
                                    done.add("look");
                                    looks.add(new CompletableFuture<>());
                                    return looks.get(looks.size() - 1);
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
                                arguments -> {
                                    done.add("write");
                                    return written;
                                }));
        RecipeContext context = Stub.of(
                RecipeContext.class,
                Map.of(
                        "loop", arguments -> new ClientLoop(loop),
                        "lines", arguments -> lines,
                        "records", arguments -> records,
                        "host", arguments -> "web-1",
                        "requestTimeout", arguments -> Duration.ofSeconds(10),
                        "inContact", arguments -> true,
                        "state", arguments -> SessionState.CONNECTED,
                        "beforeClosing", arguments -> (Subscription) () -> {}));
        wait = BarrierWait.begin(context, "load", 2);
        loop.run();
        answer(BarrierRecord.begin(2));
        assertThat(done).containsExactly("join");
        party.changed(MembershipState.JOINED, "");
    }

    private void answer(BarrierRecord record) {
        reads.get(reads.size() - 1).complete(Optional.of(new Item(KEY, record.encode(), () -> 1L)));
        loop.run();
    }

    private BarrierRound outcome() throws InterruptedException {
        assertThat(wait.outcome()).isDone();
        return Futures.interruptibly(wait.outcome());
    }

    /** Otherwise it would stand again, and be counted, while the store is asked why the entry has gone. */
    @Test
    void gone_beforeTheVerdictIsKnown_leavesForGoodAtOnce() throws InterruptedException {
        party.gone("somebody removed it");

        assertThat(done).containsExactly("join", "close");
        assertThat(wait.outcome()).isNotDone();
        answer(BarrierRecord.begin(2).passed(List.of("other", id)));
        assertThat(outcome().passed()).isTrue();
        assertThat(outcome().index()).isEqualTo(1);
    }

    @Test
    void gone_withoutAVerdict_failsWithTheReason() {
        party.gone("somebody removed it");
        answer(BarrierRecord.begin(2).passed(List.of("other", "another")));

        assertThatThrownBy(this::outcome)
                .isInstanceOf(SessionLostException.class)
                .hasMessageContaining("somebody removed it");
    }

    /** It may have been in one of those that passed. */
    @Test
    void gone_asManyRoundsAsAreKeptLater_isUnknown() {
        BarrierRecord record = BarrierRecord.begin(2);
        for (int i = 0; i <= Barrier.KEPT_ROUNDS; i++) {
            record = record.passed(List.of("other", "another"));
        }
        party.gone("somebody removed it");
        answer(record);

        assertThatThrownBy(this::outcome)
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("somebody removed it");
    }

    @Test
    void leave_storeDoesNotAnswer_isUnknownAfterARequestsTime() {
        wait.leave("its time was over");
        loop.pass(Duration.ofSeconds(9));
        assertThat(wait.outcome()).isNotDone();

        loop.pass(Duration.ofSeconds(1));

        assertThatThrownBy(this::outcome)
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("its time was over");
        assertThat(done).containsExactly("join", "look", "close");
    }

    /** More is told of a line that changes all the time, so what it does not show yet is not missed. */
    @Test
    void leave_lineChangesDuringEachReading_decidesInTheEnd() throws InterruptedException {
        record.accept(Optional.of(new Item(KEY, BarrierRecord.begin(2).encode(), () -> 1L)));
        LineMember mine = mine();
        wait.leave("its time was over");
        loop.run();
        for (int i = 0; !done.contains("write") && i < 100; i++) {
            line.accept(new LineMembers(List.of(mine), i % 2 == 0));
            looks.get(i).complete(List.of(mine));
            loop.run();
        }

        written.complete(true);
        loop.run();

        assertThat(outcome().passed()).isFalse();
    }

    private LineMember mine() {
        return new LineMember(new Entry(new Peer(Resource.barrier("load").line(), "mine", 1), 1, published, "session"));
    }

    /** What was told while the line was read is newer than the answer, and is not told again. */
    @Test
    void leave_ownEntryIsToldWhileTheLineIsRead_breaksTheRoundAllTheSame() throws InterruptedException {
        record.accept(Optional.of(new Item(KEY, BarrierRecord.begin(2).encode(), () -> 1L)));
        wait.leave("its time was over");
        loop.run();
        LineMember mine = mine();
        line.accept(new LineMembers(List.of(mine), true));
        looks.get(0).complete(List.of());
        loop.run();

        looks.get(1).complete(List.of(mine));
        written.complete(true);
        loop.run();

        assertThat(outcome().passed()).isFalse();
        assertThat(done).containsExactly("join", "look", "look", "write", "close");
    }
}
