package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigException;
import io.baton.config.ConfigStore;
import java.time.Duration;

/** Watches a canary, and promotes or aborts it. */
final class CanaryMonitor {

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final ConfigStore store;
    private final Canary begun;

    CanaryMonitor(ConfigStore store, Canary begun) {
        this.store = store;
        this.begun = begun;
    }

    /**
     * Promotes the canary if it is not held during this time, and every chosen instance then runs it without objection.
     *
     * @throws Failure if it is held or cannot be promoted; it has been aborted then
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
        } catch (ConfigException objections) {
            throw takenBack(Failure.text(objections));
        }
    }

    private Failure takenBack(String why) throws InterruptedException {
        held(); // fails if the canary is over
        try {
            store.abort(begun.id());
        } catch (ConfigException refused) {
            throw overOr(store, begun.id(), refused);
        }
        return new Failure(Exit.CONFLICT, "the canary was taken back: " + why);
    }

    /** Why the canary is held; empty if it is not. */
    private String held() throws InterruptedException {
        return store.canary()
                .filter(now -> now.id().equals(begun.id()))
                .orElseThrow(() -> over(begun.id()))
                .held();
    }

    /** Returns a conflict if the canary that was there is over by now; otherwise the exception itself. */
    static RuntimeException overOr(ConfigStore store, String id, ConfigException refused) throws InterruptedException {
        return store.canary().filter(now -> now.id().equals(id)).isPresent() ? refused : over(id);
    }

    private static Failure over(String id) {
        return new Failure(Exit.CONFLICT, "canary " + id + " is over: another client has promoted or aborted it");
    }
}
