package io.baton.internal.lock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.CoordinatorOptions;
import io.baton.Item;
import io.baton.PermitHold;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.Trouble;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.ClientLoop;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/** The first of a semaphore's queue, on a session whose every word is the test's. */
class PermitPlaceTest {

    private static final Line PERMITS = Line.of("baton.permits/uploads", Line.Kind.PERMITS);
    private static final RecordKey SIZE = new RecordKey("baton.semaphores", "uploads");
    private static final CoordinationException REFUSED = new StoreUnavailableException("too many requests");

    private final HandLoop loop = new HandLoop();
    private final ScriptedStore store = new ScriptedStore(loop);
    private final DefaultCoordinator baton = DefaultCoordinator.start(store, loop, loop, CoordinatorOptions.defaults());

    private CompletableFuture<PermitHold> firstOfTheQueue() {
        loop.run();
        store.connect();
        size(1);
        var asked = baton.semaphore("uploads", 1).acquireAsync(1);
        loop.run();
        store.clear();
        store.standing.clear(new Entry(permit("mine", 2), 2, new byte[0], store.id()));
        return asked;
    }

    private void size(int permits) {
        byte[] text = ("declared=1\nsize=" + permits + "\n").getBytes(UTF_8);
        store.record = Optional.of(new Item(SIZE, text, () -> permits));
    }

    private static Peer permit(String name, long order) {
        return new Peer(PERMITS, name, order, Claim.permits(1));
    }

    /** In contact: the session goes on being proven. */
    private void pass(Duration time) {
        for (Duration each = Duration.ZERO; each.compareTo(time) < 0; each = each.plusSeconds(1)) {
            loop.pass(Duration.ofSeconds(1));
            store.provenFor(ScriptedStore.TIMEOUT);
        }
    }

    @Test
    void size_cannotBeReadForLong_isReportedAndThePermitIsGrantedOnceItCan() {
        store.peers.add(permit("mine", 2));
        store.recordFails = REFUSED;
        var asked = firstOfTheQueue();

        pass(Duration.ofMinutes(2));

        assertThat(asked).isNotDone();
        assertThat(baton.trouble())
                .singleElement()
                .extracting(Trouble::what, Trouble::why)
                .containsExactly("Cannot acquire permits of the semaphore 'uploads'", "too many requests");
        store.recordFails = null;
        pass(Duration.ofSeconds(2));
        assertThat(asked).isCompleted();
        assertThat(baton.trouble()).isEmpty();
    }

    /** What it waits for changes often, and each time the size is read. */
    @Test
    void size_refusedNowAndThen_goesOnWaiting() {
        store.peers.add(permit("other", 1));
        store.peers.add(permit("mine", 2));
        var asked = firstOfTheQueue();
        pass(Duration.ofSeconds(1));
        assertThat(store.lookers).hasSize(1);

        for (int i = 0; i < 50; i++) {
            store.recordFails = REFUSED;
            store.lookers.get(0).accept(store.peers);
            store.recordFails = null;
            pass(Duration.ofSeconds(2));
            assertThat(baton.trouble()).isEmpty();
        }

        assertThat(asked).isNotDone();
        store.peers.remove(0);
        store.lookers.get(0).accept(store.peers);
        loop.run();
        assertThat(asked).isCompleted();
    }

    /** A store may use a name again. An entry of an earlier release does not say the token. */
    @Test
    void queueEntry_nameIsUsedAgain_isTheOneWithTheToken() {
        Entry first = new Entry(permit("mine", 2), 7, new byte[0], "session");
        Entry later = new Entry(permit("mine", 2), 9, new byte[0], "session");

        assertThat(queueEntry("queued=mine\nqueued-token=7\n", first)).contains(first);
        assertThat(queueEntry("queued=mine\nqueued-token=7\n", later)).isEmpty();
        assertThat(queueEntry("queued=mine\n", later)).contains(later);
        assertThat(queueEntry("queued=other\nqueued-token=7\n", first)).isEmpty();
        assertThat(queueEntry("permits=1\n", first)).isEmpty();
    }

    private static Optional<Entry> queueEntry(String permits, Entry queued) {
        var entry = new Entry(permit("permit", 1), 1, permits.getBytes(UTF_8), "session");
        return PermitPlace.queueEntry(entry, Map.of(queued.peer().name(), queued));
    }

    /** Databases may look at the queue for as long as the dead may stand in it. */
    @Test
    void isFree_queueIsLookedAtForLong_countsPermitsAfterThat() {
        loop.run();
        store.connect();
        size(1);
        store.peers.add(permit("other", 1));
        var own = new ClientLoop(loop);
        var contender = new PermitContender(
                "uploads",
                1,
                1,
                Line.of("semaphores/uploads"),
                PERMITS,
                SIZE,
                new AtomicInteger(),
                new SizePace(own),
                new Troubles("here", () -> Instant.EPOCH, () -> 0, NOPLogger.NOP_LOGGER),
                own);

        CompletableFuture<Boolean> free = contender.isFree(store).toCompletableFuture();
        loop.run();
        assertThat(free).isNotDone();
        store.peers.clear();
        store.free.complete(true);

        assertThat(free).isCompletedWithValue(true);
    }

    /** The sizes of all semaphores that there ever were are in one tree. */
    @Test
    void size_whileTheFirstWaits_isReadAloneAndNotFollowedWithAllOthers() {
        store.peers.add(permit("other", 1));
        store.peers.add(permit("mine", 2));
        var asked = firstOfTheQueue();
        pass(Duration.ofMinutes(1));
        assertThat(store.asked).doesNotContain("observe baton.semaphores");
        assertThat(store.reads).as("readings in a minute").isBetween(20, 70);
        assertThat(asked).isNotDone();

        size(2);
        pass(Duration.ofSeconds(2));

        assertThat(asked).isCompleted();
        int before = store.reads;
        pass(Duration.ofMinutes(1));
        assertThat(store.reads).as("none once it is granted").isEqualTo(before);
    }

    @Test
    void size_recordIsSpoiltWhileTheFirstWaits_failsIt() {
        store.peers.add(permit("other", 1));
        store.peers.add(permit("mine", 2));
        var asked = firstOfTheQueue();
        store.record = Optional.of(new Item(SIZE, "none".getBytes(UTF_8), () -> 2));

        pass(Duration.ofSeconds(2));

        assertThat(asked).isCompletedExceptionally();
    }

    @Test
    void size_cannotBeReadAndThePermitIsGivenUp_isNoTroubleAnyMore() {
        store.peers.add(permit("mine", 2));
        store.recordFails = REFUSED;
        var asked = firstOfTheQueue();
        pass(Duration.ofSeconds(10));
        assertThat(baton.trouble()).hasSize(1);

        asked.cancel(false);
        pass(Duration.ofSeconds(10));

        assertThat(baton.trouble()).isEmpty();
    }
}
