package io.baton.spi.kernel;

import static io.baton.spi.kernel.HandKernel.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.LockLostException;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.internal.HandLoop;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.TreeListener;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Changes;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.kernel.StepWire.Snapshot;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Stepped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that refuses steps of one kind for a while: this is reported, as trouble and to whom it concerns. */
class RefusingStoreTest {

    private static final Duration LATER = Duration.ofMinutes(1);
    private static final Line BOOK = Line.of("locks/book", Line.Kind.READ_WRITE);

    private final HandKernel kernel = new HandKernel(this::called);
    private final HandLoop loop = kernel.loop;
    private final List<String> told = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();
    private final List<String> resolved = new ArrayList<>();
    private Map<StepWire.Topic, Long> versions = Map.of();
    private String history = "h";
    private String lastRead = "";
    private String refused = "";
    private CoordinationException refusal = new CoordinationException("not allowed");
    private boolean stands;
    private boolean busy;
    private String name = "";
    private int reads;
    private int steps;
    private int downgrades;

    private void called(String method, Object[] with) {
        switch (method) {
            case "attach" -> answer("attach", with[2], new Attached(own(), Map.of(), history, Duration.ZERO));
            case "beat" -> answer("beat", with[2], new Beaten(own(), versions, Duration.ZERO));
            case "step" -> {
                steps++;
                step(with);
            }
            case "downgrade" -> {
                downgrades++;
                answer("downgrade", with[1], stands);
            }
            case "follow" -> answer("follow", with[1], 1L);
            case "snapshot" -> {
                reads++;
                lastRead = method;
                answer("read", with[1], new Snapshot(List.of(), new Position(history, 5)));
            }
            case "changesSince" -> {
                reads++;
                lastRead = method;
                answer("read", with[2], Optional.of(new Changes(List.of(), List.of(), (Long) with[1])));
            }
            default -> {}
        }
    }

    private void step(Object[] with) {
        ((Optional<?>) with[1]).ifPresent(joining -> name = ((Joining) joining).name());
        answer(
                "step",
                with[2],
                new Stepped(busy ? List.of(name) : List.of(), own().stream().findFirst()));
    }

    /** The entry of the one place, if it stands; it is not downgraded. */
    private List<Standing> own() {
        return stands ? List.of(new Standing(BOOK, name, 7, true, false)) : List.of();
    }

    @SuppressWarnings("unchecked")
    private <T> void answer(String what, Object reply, T with) {
        var to = (Reply<T>) reply;
        loop.execute(what.equals(refused) ? () -> to.refused(refusal) : () -> to.answered(with));
    }

    @BeforeEach
    void attach() {
        kernel.attach(new Troubles());
    }

    @Test
    void read_refusedForAWhile_isReportedUntilItIsAnswered() {
        observe();
        refused = "read";
        kernel.events.changed(new StepWire.Topic.Tree("config"), 2);
        loop.run();
        assertThat(told).containsExactly("snapshot", "resumed", "interrupted");
        assertThat(troubles).hasSize(1);

        refused = "";
        loop.pass(LATER);

        assertThat(told).containsExactly("snapshot", "resumed", "interrupted", "resumed");
        assertThat(troubles).isEmpty();
    }

    /** The tree may be one that takes long to read, and each read keeps other steps waiting. */
    @Test
    void read_refusedForLong_isNotRepeatedWithEachBeat() {
        observe();
        versions = Map.of(new StepWire.Topic.Tree("config"), 2L);
        refused = "read";
        loop.pass(LATER);
        reads = 0;

        loop.pass(LATER); // with some sixty beats

        assertThat(reads).isBetween(1, 10);
    }

    /** Its revisions are others: to ask for the changes since one of a former history finds none, or wrong ones. */
    @Test
    void read_refusedForLongAndThenAnotherHistory_isASnapshot() {
        observe();
        versions = Map.of(new StepWire.Topic.Tree("config"), 2L);
        refused = "read";
        loop.pass(LATER);
        assertThat(lastRead).isEqualTo("changesSince");

        history = "h2";
        kernel.events.disconnected("broken");
        refused = "";
        loop.pass(LATER);

        assertThat(lastRead).isEqualTo("snapshot");
        assertThat(told).containsExactly("snapshot", "resumed", "interrupted", "snapshot", "resumed");
    }

    @Test
    void follow_refusedAfterABreak_isReportedUntilItIsAnswered() {
        observe();
        refused = "follow";
        kernel.events.disconnected("broken");
        loop.pass(LATER);
        assertThat(troubles).hasSize(1);

        refused = "";
        loop.pass(LATER);

        assertThat(told).containsExactly("snapshot", "resumed", "interrupted", "resumed");
        assertThat(troubles).isEmpty();
    }

    @Test
    void follow_refusedButBeatsShowTheVersion_isCurrentAndTroubledAllTheSame() {
        observe();
        refused = "follow";
        kernel.events.disconnected("broken");
        versions = Map.of(new StepWire.Topic.Tree("config"), 2L);
        loop.pass(LATER);

        assertThat(told).containsExactly("snapshot", "resumed", "interrupted", "snapshot", "resumed");
        assertThat(troubles).hasSize(1);
        assertThat(resolved).isEmpty();
    }

    @Test
    void contact_isBackAndNothingIsNew_isCurrentOnceTheVersionIsKnown() {
        observe();
        kernel.events.disconnected("broken");
        assertThat(told).containsExactly("snapshot", "resumed", "interrupted");

        loop.pass(TTL);

        assertThat(told).containsExactly("snapshot", "resumed", "interrupted", "resumed");
    }

    @Test
    void stop_refusedAfterwards_isNoTrouble() {
        Runnable stop = observe();
        refused = "read";
        kernel.events.changed(new StepWire.Topic.Tree("config"), 2);
        stop.run();
        loop.run();

        assertThat(troubles).isEmpty();
    }

    @Test
    void beat_refusedForAWhile_isTheReasonOfTheSessionsTrouble() {
        refused = "beat";
        loop.pass(TTL);
        assertThat(kernel.session.trouble()).contains("the store refuses heartbeats: not allowed");

        refused = "";
        loop.pass(TTL);

        assertThat(kernel.session.trouble()).isEmpty();
    }

    @Test
    void stop_refused_isNoTroubleAnyMore() {
        Runnable stop = observe();
        refused = "read";
        kernel.events.changed(new StepWire.Topic.Tree("config"), 2);
        loop.run();
        assertThat(troubles).hasSize(1);

        stop.run();

        assertThat(troubles).isEmpty();
    }

    @Test
    void downgrade_refused_failsAndTheEntryIsLeft() {
        Place writer = join();
        refused = "downgrade";
        CompletableFuture<Void> reader = writer.downgrade().toCompletableFuture();
        loop.run();
        assertThat(reader).isCompletedExceptionally();
        assertThatThrownBy(reader::join).hasMessageContaining("not allowed");
        assertThat(downgrades).isEqualTo(1);

        var left = writer.leave();
        loop.run();
        loop.pass(LATER);

        assertThat(left.toCompletableFuture()).isCompleted();
        assertThat(downgrades).isEqualTo(1);
    }

    /** As while a transaction of the program keeps the entry. */
    @Test
    void downgrade_cannotBeMadeNow_isMadeOnceItCan() {
        Place writer = join();
        refused = "downgrade";
        refusal = new StoreUnavailableException("a transaction keeps the entry");
        CompletableFuture<Void> reader = writer.downgrade().toCompletableFuture();
        loop.pass(LATER);
        assertThat(reader).isNotDone();
        assertThat(troubles).hasSize(1);

        refused = "";
        loop.pass(LATER);

        assertThat(reader).isCompleted();
        assertThat(troubles).isEmpty();
    }

    @Test
    void downgrade_entryHasGone_failsAndThePlaceIsLost() {
        Place writer = join();
        stands = false;
        CompletableFuture<Void> reader = writer.downgrade().toCompletableFuture();
        loop.run();

        assertThat(reader).isCompletedExceptionally();
        assertThatThrownBy(reader::join).hasCauseInstanceOf(LockLostException.class);
        assertThat(told).containsExactly("clear", "lost");
    }

    @Test
    void downgrade_undoneByAFailOverAndRefusedThen_isATroubleUntilItIsMade() {
        Place writer = join();
        CompletableFuture<Void> reader = writer.downgrade().toCompletableFuture();
        loop.run();
        assertThat(reader).isCompleted();
        refused = "downgrade";
        for (int i = 0; i < 10; i++) {
            kernel.events.disconnected("broken");
            loop.pass(TTL);
        }
        downgrades = 0;
        loop.pass(LATER);
        assertThat(downgrades).as("one series of attempts").isLessThan(10);
        assertThat(troubles).hasSize(1);

        refused = "";
        loop.pass(LATER);

        assertThat(troubles).isEmpty();
        assertThat(told).containsExactly("clear");
    }

    @Test
    void removal_ofAnEntryThatNobodyWantsIsRefused_isATroubleUntilItIsMade() {
        stands = true; // as the store has forgotten its removal
        refused = "step";
        for (int i = 0; i < 10; i++) {
            kernel.events.disconnected("broken");
            loop.pass(TTL);
        }
        steps = 0;
        loop.pass(LATER);
        assertThat(steps).as("ever more seldom, in one series").isBetween(1, 10);
        assertThat(troubles).containsExactly("Cannot remove an entry in " + BOOK);

        refused = "";
        loop.pass(LATER);

        assertThat(troubles).isEmpty();
    }

    @Test
    void removal_refusedAndTheEntryIsGoneInTheNextContact_isNoTroubleAnyMore() {
        stands = true;
        refused = "step";
        kernel.events.disconnected("broken");
        loop.pass(LATER);
        assertThat(troubles).hasSize(1);

        stands = false;
        kernel.events.disconnected("broken");
        loop.pass(TTL);

        assertThat(troubles).isEmpty();
    }

    @Test
    void removal_refusedAcrossBreaks_isOneSeries() {
        Place place = join();
        refused = "step";
        leaveAcrossBreaks(place);
        assertThat(steps).as("ever more seldom, in one series").isBetween(1, 10);

        refused = "";
        loop.pass(LATER);

        assertThat(troubles).isEmpty();
    }

    /** As while a transaction of the program keeps the entry. */
    @Test
    void removal_busyAcrossBreaks_isOneSeries() {
        Place place = join();
        busy = true;
        leaveAcrossBreaks(place);
        assertThat(steps).as("about one a second").isBetween(30, 150);
    }

    private void leaveAcrossBreaks(Place place) {
        var unused = place.leave();
        for (int i = 0; i < 10; i++) {
            kernel.events.disconnected("broken");
            loop.pass(TTL);
        }
        steps = 0;
        loop.pass(LATER);
    }

    private Place join() {
        stands = true;
        Place place = kernel.session.join(BOOK, Claim.EXCLUSIVE, new byte[0], new PlaceListener() {
            @Override
            public void waiting() {}

            @Override
            public void clear(Entry mine) {
                told.add("clear");
            }

            @Override
            public void lost(CoordinationException why) {
                told.add("lost");
            }
        });
        loop.run();
        return place;
    }

    private Runnable observe() {
        Runnable stop = kernel.session.observe("config", new TreeListener() {
            @Override
            public void snapshot(List<Item> all, Position at) {
                told.add("snapshot");
            }

            @Override
            public void changed(List<Item> put, List<RecordKey> deleted, long revision) {
                told.add("changed");
            }

            @Override
            public void interrupted() {
                told.add("interrupted");
            }

            @Override
            public void resumed() {
                told.add("resumed");
            }
        });
        loop.run();
        return stop;
    }

    private final class Troubles extends NoListener {

        @Override
        public void troubled(String what, String why) {
            if (!troubles.contains(what)) {
                troubles.add(what);
            }
        }

        @Override
        public void resolved(String what) {
            troubles.remove(what);
            resolved.add(what);
        }
    }
}
