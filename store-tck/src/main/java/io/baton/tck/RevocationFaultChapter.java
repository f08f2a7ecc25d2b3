package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Eviction;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.QueueEntry;
import io.baton.RecordKey;
import io.baton.Released;
import io.baton.Released.Outcome;
import io.baton.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * Requests to release and evictions with the contact cut at each single message. A request is answered once or fails,
 * and an eviction ends one entry or none and says so.
 */
abstract class RevocationFaultChapter extends CutChapter {

    /** Long enough for an answer once contact is back. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    @Test
    void requestRelease_cutAtEachMessage_isMadeOnceOrNotAndSaysSo() throws Exception {
        atEachMessage(Act.ASK_TO_RELEASE, stage -> {
            Hold hold = outcome(stage.acquire(stage.steady()));
            List<String> heard = new CopyOnWriteArrayList<>();
            hold.onReleaseRequested(request -> {
                heard.add(request.reason());
                var unused = hold.releaseAsync();
            });
            DistributedLock lock = stage.troubled().lock(stage.name());
            stage.arm();
            Optional<Outcome> answer = ask(lock);
            stage.awaitQuiet();
            stage.disarm();
            hold.close();
            nothingIsAsked(stage);

            if (answer.isEmpty()) {
                assertThat(heard).as("was told as not asked").isEmpty();
            } else if (answer.get() == Outcome.RELEASED) {
                assertThat(heard).containsExactly("upgrade");
            } else {
                assertThat(answer.get()).isEqualTo(Outcome.UNANSWERED);
                assertThat(heard).as("times asked").hasSizeLessThan(2);
            }
        });
    }

    /** Empty if the request was not made. One that may have been made is waited for. */
    private static Optional<Outcome> ask(DistributedLock lock) throws InterruptedException {
        try {
            return Optional.of(outcome(lock.requestRelease("upgrade", SHORT)).outcome());
        } catch (StoreUnavailableException unavailable) {
            return Optional.empty();
        }
    }

    @Test
    void askedToRelease_cutAtEachMessage_isToldOnceAndItsAnswerArrives() throws Exception {
        atEachMessage(Act.BE_ASKED, stage -> {
            Hold hold = outcome(stage.acquire(stage.troubled()));
            CompletableFuture<Hold> next = stage.acquire(stage.steady());
            stage.awaitQueue(2);
            List<String> heard = new CopyOnWriteArrayList<>();
            hold.onReleaseRequested(request -> {
                heard.add(request.reason());
                if (request.reason().equals("now")) {
                    var unused = hold.releaseAsync();
                } else {
                    request.refuse("for the time " + heard.size());
                }
            });
            DistributedLock lock = stage.steady().lock(stage.name());
            stage.arm();
            Released refused = outcome(lock.requestRelease("soon", PATIENCE));
            assertThat(next).isNotDone();
            Released released = outcome(lock.requestRelease("now", PATIENCE));
            stage.awaitQuiet();
            stage.disarm();

            assertThat(refused).isEqualTo(new Released(Outcome.REFUSED, "for the time 1"));
            assertThat(released).isEqualTo(new Released(Outcome.RELEASED, ""));
            assertThat(heard).containsExactly("soon", "now");
            outcome(next).close();
            nothingIsAsked(stage);
        });
    }

    private static void nothingIsAsked(Stage stage) {
        soon().until(() ->
                stage.steady().records("baton.releases").get(stage.line()).isEmpty());
    }

    @Test
    void evict_cutAtEachMessage_endsTheOneOrNoneAndIsOnRecord() throws Exception {
        atEachMessage(Act.EVICT, stage -> {
            Coordinator steady = stage.steady();
            // Not by the stage, which compares holds: an evicted one may hear of that after the next was granted.
            Hold holder = outcome(steady.lock(stage.name()).acquireAsync());
            CompletableFuture<Hold> second = stage.acquire(steady);
            stage.awaitQueue(2);
            CompletableFuture<Hold> third = stage.acquire(steady);
            stage.awaitQueue(3);
            DistributedLock lock = stage.troubled().lock(stage.name());
            QueueEntry stuck = lock.queue().get(0);
            stage.arm();
            String told = evict(lock, stuck);
            stage.awaitQuiet();
            stage.disarm();

            boolean evicted = !isFirst(lock, stuck);
            assertThat(told).isIn(evicted ? List.of("evicted", "unknown") : List.of("unavailable", "unknown"));
            Optional<Eviction> record = lock.lastEviction();
            assertThat(record.map(Eviction::token)).isEqualTo(evicted ? Optional.of(holder.token()) : Optional.empty());
            assertThat(record.map(Eviction::reason)).isEqualTo(record.map(last -> "stuck"));
            assertThat(steady.transact(
                            List.of(Guard.held(holder)), List.of(Op.put(new RecordKey(stage.name(), "x"), "late"))))
                    .isEqualTo(!evicted);
            if (evicted) {
                assertThat(lock.evict(stuck, "again")).as("the entry is gone").isFalse();
                soon().until(() -> holder.state() == HoldState.LOST);
            }
            holder.close();
            Hold next = outcome(second);
            assertThat(third).isNotDone();
            assertThat(next.state()).isEqualTo(HoldState.HELD);
            next.close();
            outcome(third).close();
        });
    }

    private static String evict(DistributedLock lock, QueueEntry who) throws InterruptedException {
        try {
            return lock.evict(who, "stuck") ? "evicted" : "not there";
        } catch (OutcomeUnknownException unknown) {
            return "unknown";
        } catch (StoreUnavailableException unavailable) {
            return "unavailable";
        }
    }

    private static boolean isFirst(DistributedLock lock, QueueEntry who) throws InterruptedException {
        return lock.queue().get(0).token() == who.token();
    }
}
