package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Op;
import io.baton.Records;
import io.baton.spi.Entry;
import io.baton.spi.Guarantees;
import io.baton.spi.Guarantees.Exclusion;
import io.baton.spi.Guarantees.Survival;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Another server takes over, which may lack what was written last: what the store declares holds across that. */
@Execution(ExecutionMode.SAME_THREAD)
abstract class FailOverChapter extends Chapter {

    @BeforeEach
    void assumeFailOver() {
        Assumptions.assumeTrue(
                store().failOver().isPresent() && store().steadyUri().isPresent(),
                "the store under test cannot be told to fail over");
    }

    private FailOver failOver() {
        return store().failOver().orElseThrow();
    }

    /** The owner is cut off, and may believe in its hold for as long as the last answer proves it. */
    @Test
    void grant_ownerIsCutOffAndItsEntryMayBeLost_comesOnceItsHoldIsOver() throws Exception {
        Coordinator owner = briefCoordinator();
        Assumptions.assumeTrue(owner.guarantees().failOver() != Exclusion.MAY_OVERLAP_UNTIL_DEADLINE);
        // A store that is quiet is so for as long as the longest session, so none is longer.
        Coordinator other =
                steadyCoordinator(options("tck-steady").ttl(store().ttl()).rejoin(true));
        owner.lock("tck").acquire().close();
        failOver().fallBehind();
        Hold lost = owner.lock("tck").acquire();
        store().breakContact();

        failOver().takeOver();

        CompletableFuture<Hold> next = other.lock("tck").acquireAsync();
        CompletableFuture<Duration> left = next.thenApply(granted -> lost.remaining());
        soon().atMost(PATIENCE.multipliedBy(2)).until(next::isDone);
        assertThat(outcome(left))
                .as("what the owner believed to have left when the next was granted")
                .isZero();
        assertThat(outcome(next).token()).isGreaterThan(lost.token());
        soon().until(() -> lost.state() == HoldState.LOST);
        outcome(next).close();
    }

    @Test
    void hold_ofAClientThatComesBack_standsOrIsToldLost() throws Exception {
        Coordinator owner = coordinator();
        List<Hold> told = new CopyOnWriteArrayList<>();
        Hold early = owner.lock("early").acquire();
        failOver().fallBehind();
        Hold late = owner.lock("late").acquire();
        for (Hold hold : List.of(early, late)) {
            hold.onLost(() -> told.add(hold));
        }

        failOver().takeOver();

        TckClient looking = client();
        for (Hold hold : List.of(early, late)) {
            soon().until(() -> told.contains(hold) || (hold.state() == HoldState.HELD && stands(looking, hold)));
        }
        if (owner.guarantees().failOver() == Exclusion.KEPT) {
            assertThat(told).isEmpty();
        }
    }

    private static boolean stands(TckClient looking, Hold hold) throws InterruptedException {
        for (Peer peer : looking.peers("locks/" + hold.name())) {
            Optional<Entry> entry = looking.details(peer);
            if (entry.isPresent() && entry.get().token() == hold.token()) {
                return true;
            }
        }
        return false;
    }

    @Test
    void records_acknowledged_areThereWhereThatIsDeclared() throws Exception {
        Coordinator writer = coordinator();
        Assumptions.assumeTrue(keepsAcknowledged(writer.guarantees()), "this fail-over may lose what was acknowledged");
        Hold hold = writer.lock("tck").acquire();
        Records written = writer.records("tck");
        written.put("a", "put");
        assertThat(writer.transact(List.of(Guard.held(hold)), List.of(Op.put(written.key("b"), "guarded"))))
                .isTrue();

        failOver().takeOver();

        assertThat(RecordChapter.texts(coordinator().records("tck").list("")))
                .isEqualTo(Map.of("a", "put", "b", "guarded"));
    }

    private boolean keepsAcknowledged(Guarantees declared) {
        return declared.acknowledged() == Survival.QUORUM
                || (declared.acknowledged() == Survival.PRIMARY_DISK
                        && failOver().keepsDisk());
    }

    /** A follower may have been told what is lost. */
    @Test
    void follower_isToldAnotherHistoryUnlessNothingCanBeLost_andKeepsUp() throws Exception {
        Records written = coordinator().records("tck");
        TckObserver seen = new TckObserver();
        Coordinator following = coordinator();
        var unused = following.records("tck").observe("", seen);
        written.put("a", "before");
        soon().until(() -> seen.state().equals(Map.of("a", "before")));
        String history = seen.at().history();
        failOver().fallBehind();
        written.put("a", "latest");
        soon().until(() -> seen.state().equals(Map.of("a", "latest")));
        Item latest = written.get("a").orElseThrow();

        failOver().takeOver();

        Records next = coordinator().records("tck");
        String left = next.get("a").orElseThrow().text();
        next.put("a", "after");
        assertThat(next.compareAndSet(latest, "in place of what was there before"))
                .isFalse();
        soon().until(() -> seen.state().equals(Map.of("a", "after")));
        if (following.guarantees().failOver() == Exclusion.KEPT) {
            assertThat(left).isEqualTo("latest");
            assertThat(seen.at().history()).isEqualTo(history);
        } else {
            assertThat(seen.at().history()).isNotEqualTo(history);
        }
        assertThat(seen.breaches()).isEmpty();
    }
}
