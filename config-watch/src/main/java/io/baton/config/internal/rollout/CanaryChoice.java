package io.baton.config.internal.rollout;

import io.baton.config.ConfigSource;
import io.baton.config.ConfigValue;
import io.baton.config.internal.active.ActiveConfig;
import io.baton.config.internal.active.CandidateState;
import io.baton.config.internal.active.Refused;
import io.baton.config.internal.follow.StoreState;
import io.baton.config.internal.record.CanaryRecord;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Chooses the canary for this instance, and computes its values. An instance without a name takes part in none. For one
 * update after the other, except {@link #reject}.
 */
public final class CanaryChoice {

    private final Optional<FleetEntry> self;
    private final StoreState.Scope scope;
    private final CanaryHold hold;
    private final CanaryClock clock;
    private volatile Verdict verdict = new Verdict("", "");

    /** The rejection of the canary with this id. */
    private record Verdict(String canary, String reason) {}

    public CanaryChoice(Optional<FleetEntry> self, StoreState.Scope scope, CanaryHold hold, CanaryClock clock) {
        this.self = self;
        this.scope = scope;
        this.hold = hold;
        this.clock = clock;
    }

    /** Returns the canary that this instance was chosen for, while it lasts. */
    public Optional<CanaryRecord> of(StoreState known) {
        if (self.isEmpty() || known.canary().isEmpty()) {
            clock.none();
            return Optional.empty();
        }
        CanaryRecord canary = known.canary().get();
        if (self.get().isChosenFor(canary)) {
            return Optional.of(canary).filter(clock::isRunning);
        }
        clock.watch(canary);
        return Optional.empty();
    }

    /** Rejects this canary on this instance from now on. Any thread. */
    public void reject(String canary, String reason) {
        verdict = new Verdict(canary, reason);
    }

    /** Returns the rejection of this canary, if any. */
    public Optional<Refused> rejection(CanaryRecord canary) {
        Verdict last = verdict;
        return last.canary().equals(canary.id())
                ? Optional.of(new Refused(CanaryRecord.KEY, last.reason()))
                : Optional.empty();
    }

    /**
     * Lays the canary over the store's state. Its values in use keep their identity, even if its record was rewritten.
     */
    public CandidateState with(CanaryRecord canary, StoreState known, ActiveConfig now) {
        SortedMap<String, ConfigValue> over = canary.overlay(new TreeMap<>());
        SortedMap<String, Optional<ConfigValue>> changes = new TreeMap<>();
        for (String key : canary.keys().keySet()) {
            if (scope.has(key)) {
                changes.put(
                        key,
                        Optional.ofNullable(over.get(key)).map(value -> kept(canary, known.marked(value, scope), now)));
            }
        }
        return new CandidateState(
                ConfigSource.LIVE,
                known.at(),
                known.space().change(),
                known.values().with(changes),
                canary.id());
    }

    private ConfigValue kept(CanaryRecord canary, ConfigValue value, ActiveConfig now) {
        ConfigValue present = now.values().get(value.key());
        if (present == null || !now.canary().equals(canary.id())) {
            return value;
        }
        boolean same = present.text().equals(value.text()) && present.secret() == value.secret();
        return same ? present : value;
    }

    /** Holds the canary after its rejection here. */
    public void refused(CanaryRecord canary, String why) {
        hold.hold(canary.id(), self.map(FleetEntry::id).orElse("") + " rejected it: " + why);
    }
}
