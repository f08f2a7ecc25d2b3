package io.baton.cli.config;

import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigStore;
import io.baton.config.FleetMember;
import java.time.Duration;
import java.util.List;

/** Looks on at a canary, and decides what becomes of it. */
final class Trial {

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final ConfigStore store;
    private final Canary begun;

    Trial(ConfigStore store, Canary begun) {
        this.store = store;
        this.begun = begun;
    }

    /**
     * Makes it a change for all, if after this long every chosen instance runs it and none has rejected it.
     *
     * @throws Failure if that is not so; then it has been taken back
     */
    ConfigCommit run(Duration limit) throws InterruptedException {
        long since = System.nanoTime();
        String objection = held();
        while (objection.isEmpty() && System.nanoTime() - since < limit.toNanos()) {
            Thread.sleep(PAUSE.toMillis());
            objection = held();
        }
        if (objection.isEmpty()) {
            objection = unfinished(limit);
        }
        if (!objection.isEmpty()) {
            store.abort(begun.id());
            throw new Failure(Exit.CONFLICT, "the canary was taken back: " + objection);
        }
        return store.promote(begun.id());
    }

    /** Why it goes no further; empty if nothing is known against it. */
    private String held() throws InterruptedException {
        return store.canary()
                .filter(now -> now.id().equals(begun.id()))
                .orElseThrow(() -> new Failure(
                        Exit.CONFLICT, "canary " + begun.id() + " is over: somebody else has promoted or aborted it"))
                .held();
    }

    private String unfinished(Duration limit) throws InterruptedException {
        List<FleetMember> chosen = store.fleet().stream()
                .filter(member -> begun.chooses(member.id(), member.labels()))
                .toList();
        List<String> without = chosen.stream()
                .filter(member -> !member.canary().equals(begun.id()))
                .map(FleetMember::id)
                .toList();
        if (chosen.isEmpty()) {
            return "no instance is among " + CanaryShown.share(begun);
        }
        return without.isEmpty()
                ? ""
                : without.size() + " of the " + chosen.size() + " chosen instances did not run it after "
                        + DurationOption.format(limit) + ": "
                        + String.join(", ", without.subList(0, Math.min(5, without.size())));
    }
}
