package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.SessionState;
import io.baton.recipes.Sequence;
import io.baton.spi.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Unique numbers. */
abstract class SequenceChapter extends Chapter {

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void next_twoCoordinators_takeBlocksOfTheirOwn() throws InterruptedException {
        Sequence here = Sequence.named(coordinator(), "tck", 10);
        Sequence there = Sequence.named(coordinator(), "tck", 10);

        assertThat(here.next()).isEqualTo(1);
        assertThat(there.next()).isEqualTo(11);
        assertThat(here.next()).isEqualTo(2);
        assertThat(outcome(there.nextAsync())).isEqualTo(12);
    }

    @Test
    void next_eightThreadsAndBrokenContact_neverRepeatsAndRises() throws Exception {
        List<Sequence> sequences = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sequences.add(Sequence.named(coordinator(), "tck", 3));
        }
        Set<Long> numbers = ConcurrentHashMap.newKeySet();
        List<String> breaches = new CopyOnWriteArrayList<>();
        var enough = new AtomicBoolean();
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Sequence sequence = sequences.get(i % 3);
            working.add(threads.submit(() -> {
                long before = 0;
                while (!enough.get()) {
                    try {
                        long number = sequence.next();
                        if (!numbers.add(number)) {
                            breaches.add(number + " came twice");
                        }
                        if (number <= before) {
                            breaches.add(number + " came after " + before);
                        }
                        before = number;
                    } catch (CoordinationException notNow) {
                        assertThat(notNow.getMessage()).isNotEmpty();
                    }
                }
                return true;
            }));
        }

        for (int cut = 0; cut < 3; cut++) {
            int before = numbers.size();
            soon().until(() -> numbers.size() > before + 50);
            store().breakContact();
            store().restoreContact();
        }
        int before = numbers.size();
        soon().until(() -> numbers.size() > before + 50);
        enough.set(true);
        for (Future<?> each : working) {
            outcome(each);
        }

        assertThat(breaches).isEmpty();
    }

    @Test
    void next_contactBroken_waitsForItAndSucceeds() throws Exception {
        Coordinator baton = coordinator();
        Sequence sequence = Sequence.named(baton, "tck", 1);
        assertThat(sequence.next()).isEqualTo(1);
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);

        CompletableFuture<Long> next = sequence.nextAsync();
        stays(() -> !next.isDone());
        store().restoreContact();

        assertThat(outcome(next)).isGreaterThan(1);
    }

    @Test
    void next_contactBroken_handsOutWhatItHas() throws Exception {
        Coordinator baton = coordinator();
        Sequence sequence = Sequence.named(baton, "tck", 10);
        assertThat(sequence.next()).isEqualTo(1);
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);

        for (long expected = 2; expected <= 10; expected++) {
            assertThat(sequence.next()).isEqualTo(expected);
        }
    }

    @Test
    void session_expired_numbersGoOn() throws Exception {
        Coordinator baton = coordinator();
        Sequence sequence = Sequence.named(baton, "tck", 2);
        Hold hold = baton.lock("tck").acquire();
        assertThat(sequence.next()).isEqualTo(1);
        TckClient looking = client();
        Peer entry = looking.peers(LINE).get(0);

        store().expire(looking.details(entry).orElseThrow().session());
        soon().until(() -> hold.state() == HoldState.LOST);

        assertThat(sequence.next()).isEqualTo(2);
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        assertThat(sequence.next()).isEqualTo(3);
    }

    @Test
    void nextAsync_coordinatorClosedMeanwhile_fails() throws Exception {
        Coordinator closing = coordinator();
        Sequence sequence = Sequence.named(closing, "tck", 1);
        assertThat(sequence.next()).isEqualTo(1);
        store().breakContact();
        soon().until(() -> closing.state() != SessionState.CONNECTED);
        CompletableFuture<Long> waiting = sequence.nextAsync();

        closing.close();

        assertThatThrownBy(() -> outcome(waiting)).isInstanceOf(CoordinationException.class);
        assertThatThrownBy(sequence::next).isInstanceOf(CoordinationException.class);
    }

    @Test
    void nonsense_isRefused() throws InterruptedException {
        Coordinator baton = coordinator();

        assertThatThrownBy(() -> Sequence.named(baton, "tck", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one number");
        baton.records(Sequence.TREE).put("tck", "hello");
        assertThatThrownBy(() -> Sequence.named(baton, "tck", 10).next())
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("should have the line 'next=N'");
    }
}
