package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigStore;
import java.time.Duration;

/** Looks on at a canary, and decides what becomes of it. */
final class CanaryMonitor {

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final ConfigStore store;
    private final Canary begun;

    CanaryMonitor(ConfigStore store, Canary begun) {
        this.store = store;
        this.begun = begun;
    }

    /**
     * Makes it a change for all, if after this long every chosen instance runs it, and has nothing against it.
     *
     * @throws Failure if that is not so; then it has been taken back
     */
    ConfigCommit run(Duration limit) throws InterruptedException {
        if (begun.chosen().isEmpty()) {
            throw takenBack("no instance is among " + CanaryShown.share(begun));
        }
        long since = System.nanoTime();
        while (System.nanoTime() - since < limit.toNanos()) {
            String held = held();
            if (!held.isEmpty()) {
                throw takenBack(held);
            }
            Thread.sleep(PAUSE.toMillis());
        }
        try {
            return store.promote(begun.id());
        } catch (ConfigConflictException objections) {
            throw takenBack(String.valueOf(objections.getMessage()));
        }
    }

    private Failure takenBack(String why) throws InterruptedException {
        held(); // says so if it is over
        store.abort(begun.id());
        return new Failure(Exit.CONFLICT, "the canary was taken back: " + why);
    }

    /** Why it goes no further; empty if nothing is known against it. */
    private String held() throws InterruptedException {
        return store.canary()
                .filter(now -> now.id().equals(begun.id()))
                .orElseThrow(() -> new Failure(
                        Exit.CONFLICT, "canary " + begun.id() + " is over: somebody else has promoted or aborted it"))
                .held();
    }
}
