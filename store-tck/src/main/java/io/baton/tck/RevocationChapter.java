package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.DistributedReadWriteLock;
import io.baton.DistributedSemaphore;
import io.baton.Eviction;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.LockLostException;
import io.baton.Op;
import io.baton.PermitHold;
import io.baton.QueueEntry;
import io.baton.RecordKey;
import io.baton.Records;
import io.baton.Released;
import io.baton.Released.Outcome;
import io.baton.WriteHold;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Holders are asked to release, and operators take entries away. */
abstract class RevocationChapter extends Chapter {

    private static final Duration SHORT = Duration.ofMillis(400);

    @Test
    void requestRelease_holderReleases_isReleasedAndTheNextIsGranted() throws Exception {
        DistributedLock here = coordinator().lock("tck");
        DistributedLock there = coordinator().lock("tck");
        Hold hold = here.acquire();
        List<String> heard = new CopyOnWriteArrayList<>();
        hold.onReleaseRequested(request -> {
            heard.add(request.by() + ": " + request.reason());
            var unused = hold.releaseAsync();
        });
        CompletableFuture<Hold> next = there.acquireAsync();

        Released answer = outcome(there.requestRelease("upgrade", PATIENCE));

        assertThat(answer).isEqualTo(new Released(Outcome.RELEASED, ""));
        outcome(next).close();
        assertThat(heard).containsExactly("tck: upgrade");
    }

    @Test
    void requestRelease_holderRefuses_saysWhyAndKeepsTheHold() throws Exception {
        DistributedLock lock = coordinator().lock("tck");
        try (Hold hold = lock.acquire()) {
            hold.onReleaseRequested(request -> request.refuse("in the middle of = it\n" + request.reason()));

            Released answer = outcome(coordinator().lock("tck").requestRelease("now", PATIENCE));

            assertThat(answer).isEqualTo(new Released(Outcome.REFUSED, "in the middle of = it\nnow"));
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void requestRelease_nobodyListensOrHolds_endsInTime() throws Exception {
        DistributedLock lock = coordinator().lock("tck");
        assertThat(outcome(lock.requestRelease("free", PATIENCE)).outcome()).isEqualTo(Outcome.FREE);
        try (Hold deaf = lock.acquire()) {
            assertThat(lock.pendingRelease()).isEmpty();
            assertThat(outcome(lock.requestRelease("deaf", SHORT)).outcome()).isEqualTo(Outcome.UNANSWERED);
            assertThat(deaf.state()).isEqualTo(HoldState.HELD);
        }
        // What was asked of another hold is no request to this one.
        try (Hold later = lock.acquire()) {
            List<String> heard = new CopyOnWriteArrayList<>();
            later.onReleaseRequested(request -> heard.add(request.reason()));
            stays(heard::isEmpty);
            CompletableFuture<Released> asked = lock.requestRelease("you", SHORT.multipliedBy(8));
            soon().until(() -> heard.contains("you"));
            assertThat(lock.pendingRelease()).hasValueSatisfying(pending -> {
                assertThat(pending.token()).isEqualTo(later.token());
                assertThat(pending.by() + ": " + pending.reason()).isEqualTo("tck: you");
            });
            assertThat(outcome(asked).outcome()).isEqualTo(Outcome.UNANSWERED);
            assertThat(heard).containsExactly("you");
        }
    }

    @Test
    void requestRelease_readWriteLock_asksTheFirst() throws Exception {
        DistributedReadWriteLock here = coordinator().readWriteLock("tck");
        DistributedReadWriteLock there = coordinator().readWriteLock("tck");
        List<String> heard = new CopyOnWriteArrayList<>();
        releasesOnRequest(here.write().acquire(), "the writer", heard);
        CompletableFuture<Hold> first = here.read().acquireAsync();
        soon().until(() -> there.queue().size() == 2);
        CompletableFuture<Hold> second = there.read().acquireAsync();
        soon().until(() -> there.queue().size() == 3);

        Released ofTheWriter = outcome(there.read().requestRelease("upgrade", PATIENCE));

        assertThat(ofTheWriter).isEqualTo(new Released(Outcome.RELEASED, ""));
        releasesOnRequest(outcome(first), "the first reader", heard);
        Hold beside = outcome(second);
        releasesOnRequest(beside, "the second reader", heard);
        CompletableFuture<WriteHold> last = there.write().acquireAsync();
        soon().until(() -> there.queue().size() == 3);

        Released ofTheReader = outcome(there.read().requestRelease("again", PATIENCE));

        assertThat(ofTheReader).isEqualTo(new Released(Outcome.RELEASED, ""));
        assertThat(heard).containsExactly("the writer: upgrade", "the first reader: again");
        stays(() -> beside.state() == HoldState.HELD && !last.isDone());
        beside.close();
        outcome(last).close();
        assertThat(heard).hasSize(2);
    }

    private static void releasesOnRequest(Hold hold, String who, List<String> heard) {
        hold.onReleaseRequested(request -> {
            heard.add(who + ": " + request.reason());
            var unused = hold.releaseAsync();
        });
    }

    @Test
    void requestRelease_coordinatorCloses_fails() throws Exception {
        Coordinator asking = coordinator();
        try (Hold deaf = coordinator().lock("tck").acquire()) {
            CompletableFuture<Released> asked = asking.lock("tck").requestRelease("now", PATIENCE);
            stays(() -> !asked.isDone());

            asking.close();

            Assertions.assertThatThrownBy(() -> outcome(asked)).isInstanceOf(CoordinationException.class);
            assertThat(deaf.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void requestRelease_answered_leavesNoRecord() throws Exception {
        Coordinator baton = coordinator();
        try (Hold hold = baton.lock("tck").acquire()) {
            hold.onReleaseRequested(request -> request.refuse("no"));
            outcome(baton.lock("tck").requestRelease("now", PATIENCE));
            soon().until(() -> baton.records("baton.releases").list("").isEmpty());
        }
    }

    /** A client that asks and is killed leaves its request on record. */
    @Test
    void pendingRelease_answeredOrOfAFormerHold_isNone() throws Exception {
        Coordinator baton = coordinator();
        DistributedLock lock = baton.lock("tck");
        Records requests = baton.records("baton.releases");
        Hold former = lock.acquire();
        CompletableFuture<Released> asked = lock.requestRelease("now", PATIENCE);
        soon().until(() -> lock.pendingRelease().isPresent());
        Item request = requests.list("").values().iterator().next();
        String name = request.key().name();

        requests.put(name, request.text() + "refused=no\n");
        assertThat(lock.pendingRelease()).isEmpty();

        outcome(asked);
        soon().until(() -> requests.list("").isEmpty());
        requests.put(name, request.text());
        assertThat(lock.pendingRelease()).isPresent();
        former.close();
        try (Hold next = lock.acquire()) {
            assertThat(next.token()).isNotEqualTo(former.token());
            assertThat(lock.pendingRelease()).isEmpty();
        }
    }

    @Test
    void evict_holder_isLostAndTheNextIsGrantedAndItIsOnRecord() throws Exception {
        Coordinator owner = coordinator();
        DistributedLock here = owner.lock("tck");
        DistributedLock there = coordinator().lock("tck");
        assertThat(there.lastEviction()).isEmpty();
        Hold hold = here.acquire();
        CompletableFuture<Hold> next = there.acquireAsync();
        soon().until(() -> here.queue().size() == 2);
        QueueEntry stuck = there.queue().get(0);

        assertThat(there.evict(stuck, "hangs since noon")).isTrue();

        Hold granted = outcome(next);
        assertThat(granted.token()).isGreaterThan(hold.token());
        assertThat(owner.transact(List.of(Guard.held(hold)), List.of(Op.put(new RecordKey("tck", "x"), "late"))))
                .isFalse();
        soon().until(() -> hold.state() == HoldState.LOST);
        Eviction record = here.lastEviction().orElseThrow();
        assertThat(record.token()).isEqualTo(hold.token());
        assertThat(record.reason()).isEqualTo("hangs since noon");
        assertThat(record.by()).isEqualTo("tck");
        assertThat(record.client()).isEqualTo("tck");
        assertThat(there.evict(stuck, "again")).as("the entry is gone").isFalse();
        assertThat(granted.state()).isEqualTo(HoldState.HELD);
        assertThat(here.lastEviction().orElseThrow().reason()).isEqualTo("hangs since noon");
        granted.close();
    }

    @Test
    void evict_waiter_failsThatOneAndNoOther() throws Exception {
        DistributedLock here = coordinator().lock("tck");
        DistributedLock there = coordinator().lock("tck");
        Hold hold = here.acquire();
        CompletableFuture<Hold> evicted = there.acquireAsync();
        soon().until(() -> here.queue().size() == 2);
        CompletableFuture<Hold> behind = here.acquireAsync();
        soon().until(() -> here.queue().size() == 3);

        assertThat(here.evict(here.queue().get(1), "not this one")).isTrue();

        hold.close();
        outcome(behind).close();
        Assertions.assertThatThrownBy(() -> outcome(evicted)).isInstanceOf(LockLostException.class);
    }

    @Test
    void evict_readerAndPermits_makesRoomForThoseThatWait() throws Exception {
        DistributedReadWriteLock book = coordinator().readWriteLock("tck");
        Hold reader = book.read().acquire();
        CompletableFuture<WriteHold> writer =
                coordinator().readWriteLock("tck").write().acquireAsync();
        soon().until(() -> book.queue().size() == 2);
        assertThat(book.evict(book.queue().get(0), "stuck")).isTrue();
        outcome(writer).close();
        soon().until(() -> reader.state() == HoldState.LOST);
        assertThat(book.lastEviction().orElseThrow().token()).isEqualTo(reader.token());

        DistributedSemaphore semaphore = coordinator().semaphore("tck", 1);
        PermitHold permit = semaphore.acquire();
        CompletableFuture<PermitHold> waiting =
                coordinator().semaphore("tck", 1).acquireAsync(1);
        soon().until(() -> semaphore.view().waiting().size() == 1
                && semaphore.view().holders().size() == 1);
        assertThat(semaphore.evict(semaphore.view().holders().get(0), "stuck")).isTrue();
        outcome(waiting).close();
        soon().until(() -> permit.state() == HoldState.LOST);
    }
}
