package io.baton.internal.lock;

import static io.baton.Interleavings.together;

import io.baton.HoldState;
import io.baton.Interleavings;
import io.baton.ReleaseRequest;
import io.baton.Subscription;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Resource;
import io.baton.spi.Entry;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.Proof;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Looks of its owner's threads at a hold, beside what the loop does to it, in many orders. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FencedHoldOrdersTest {

    private static final Proof FIRST = new Proof(0, 0, 10, 0);
    private static final Proof BETTER = new Proof(5, 0, 20, 0);
    private static final Guarantees QUORUM = Guarantees.ofQuorum(10, 100_000, Duration.ofSeconds(1));

    /** A hold proven up to 10, at a time that the scene sets. */
    private static final class Scene implements Loop, FencedHold.Owner {

        private final AtomicInteger expired = new AtomicInteger();
        private final AtomicInteger doubted = new AtomicInteger();
        private final FencedHold hold;
        private volatile long now;
        private volatile long wall;

        Scene() {
            Entry entry = new Entry(new Peer(Line.of("locks/orders"), "entry", 1), 42, new byte[0], "session");
            var loop = new ClientLoop(this);
            var orders = Resource.lock("orders");
            hold = new FencedHold(
                    orders, entry, FIRST, loop, ClientCallbacks.on(this), Duration.ofMillis(1), QUORUM, this, 0);
        }

        HoldState look() {
            return hold.state();
        }

        void expect(boolean asExpected) {
            if (!asExpected) {
                throw new AssertionError(
                        hold.state() + " with " + expired + " expiries and " + doubted + " doubts told");
            }
        }

        @Override
        public void expired() {
            expired.incrementAndGet();
        }

        @Override
        public void doubted() {
            doubted.incrementAndGet();
        }

        @Override
        public Subscription onReleaseRequested(FencedHold of, Consumer<ReleaseRequest> listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Void> downgrade() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Void> release() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public long wallMillis() {
            return wall;
        }

        @Override
        public long randomLong() {
            return 0;
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            throw new AssertionError("no timer is needed");
        }

        @Override
        public void execute(Runnable task) {
            throw new AssertionError("nobody listens");
        }
    }

    @Test
    void state_besideABetterProof_onceLostIsLostForGood() {
        Interleavings.of(() -> {
            var scene = new Scene();
            var lost = new boolean[1];
            together(
                    () -> scene.hold.extend(BETTER),
                    () -> scene.now = 15,
                    () -> lost[0] = scene.look() == HoldState.LOST);
            scene.expect(!lost[0] || scene.look() == HoldState.LOST);
        });
    }

    @Test
    void state_deadlinePassed_noProofThatComesThenMakesItValid() {
        Interleavings.of(() -> {
            var scene = new Scene();
            scene.now = 10;
            together(() -> scene.hold.extend(BETTER), () -> scene.expect(scene.look() == HoldState.LOST));
            scene.expect(scene.look() == HoldState.LOST);
        });
    }

    @Test
    void state_deadlinePassedAndSeenByTwo_expiryIsToldOnce() {
        Interleavings.of(() -> {
            var scene = new Scene();
            scene.now = 10;
            together(scene::look, scene::look);
            scene.expect(scene.expired.get() == 1);
        });
    }

    @Test
    void close_besideALoss_isEitherForGood() {
        Interleavings.of(() -> {
            var scene = new Scene();
            var seen = new HoldState[1];
            together(() -> scene.hold.markLost("gone"), scene.hold::close, () -> seen[0] = scene.look());
            boolean lost = scene.look() == HoldState.LOST;
            scene.expect(lost || scene.look() == HoldState.RELEASED);
            scene.expect(seen[0] == HoldState.HELD || seen[0] == scene.look());
            scene.expect(lost != scene.hold.whyLost().isEmpty());
        });
    }

    @Test
    void contact_besideADeadlineSeenPassed_doesNotMakeItValid() {
        Interleavings.of(() -> {
            var scene = new Scene();
            scene.now = 10;
            together(
                    () -> {
                        scene.hold.setInContact(false);
                        scene.hold.setInContact(true);
                    },
                    scene::look);
            scene.expect(scene.look() == HoldState.LOST && scene.expired.get() == 1);
        });
    }

    @Test
    void state_doubtfulAndSeenByTwo_doubtIsToldOnce() {
        Interleavings.of(() -> {
            var scene = new Scene();
            scene.wall = 1;
            together(scene::look, scene::look);
            scene.expect(scene.doubted.get() == 1);
        });
    }

    @Test
    void state_doubtfulBesideABetterProof_aLaterDoubtIsToldAllTheSame() {
        Interleavings.of(() -> {
            var scene = new Scene();
            scene.wall = 1;
            together(() -> scene.hold.extend(new Proof(0, 1, 20, 0)), scene::look);
            int before = scene.doubted.get();
            scene.wall = 2;
            scene.look();
            scene.expect(scene.doubted.get() == before + 1);
        });
    }
}
