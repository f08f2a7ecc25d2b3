package io.baton.config;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which canary is for this instance, and what it makes of the values. An instance without a name takes no part in them. */
final class CanaryChoice {

    private final Optional<String> instance;
    private final Map<String, String> labels;
    private final Known.Scope scope;
    private final CanaryHold hold;

    CanaryChoice(Optional<String> instance, Map<String, String> labels, Known.Scope scope, CanaryHold hold) {
        this.instance = instance;
        this.labels = labels;
        this.scope = scope;
        this.hold = hold;
    }

    /** The one that this instance was chosen for. */
    Optional<CanaryRecord> of(Known known) {
        return instance.flatMap(name -> known.canary().filter(canary -> canary.chooses(name, labels)));
    }

    /** Laid over what is known. What it says in what is in use keeps its identity, also if its record was written anew. */
    Candidate with(CanaryRecord canary, Known known, InUse now) {
        SortedMap<String, ConfigValue> over = canary.over(new TreeMap<>());
        SortedMap<String, Optional<ConfigValue>> changes = new TreeMap<>();
        for (String key : canary.keys().keySet()) {
            if (scope.has(key)) {
                changes.put(key, Optional.ofNullable(over.get(key)).map(value -> kept(canary, known.marked(value, scope), now)));
            }
        }
        return new Candidate(known.at(), known.space().change(), known.values().with(changes), canary.id());
    }

    private ConfigValue kept(CanaryRecord canary, ConfigValue value, InUse now) {
        ConfigValue present = now.values().get(value.key());
        if (present == null || !now.canary().equals(canary.id())) {
            return value;
        }
        boolean same = present.text().equals(value.text()) && present.secret() == value.secret();
        return same ? present : value;
    }

    /** It was rejected here: it is to go no further. */
    void refused(CanaryRecord canary, String why) {
        hold.hold(canary.id(), instance.orElse("") + " rejected it: " + why);
    }
}
