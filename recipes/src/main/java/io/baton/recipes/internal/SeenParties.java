package io.baton.recipes.internal;

import io.baton.recipes.GroupMember;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/** The other parties of a barrier that were seen waiting. On the loop. */
final class SeenParties {

    private final Map<String, Seen> seen = new HashMap<>();

    /** @param round the round that was not decided when it was last seen */
    private record Seen(GroupMember party, long round) {}

    /**
     * Returns a party that waited and does not stand any more, and no verdict says why.
     *
     * @param round the round that is not decided now
     * @param standing those that wait now
     * @param explains whether it is clear why a party does not stand any more that was seen before this round was decided
     */
    Optional<GroupMember> missing(long round, List<GroupMember> standing, BiPredicate<String, Long> explains) {
        seen.values().removeIf(other -> explains.test(other.party().id(), other.round()));
        standing.forEach(other -> seen.put(other.id(), new Seen(other, round)));
        List<String> there = standing.stream().map(GroupMember::id).toList();
        return seen.values().stream()
                .map(Seen::party)
                .filter(other -> !there.contains(other.id()))
                .findFirst();
    }

    /** Returns the party for people. */
    static String name(GroupMember party) {
        return "party " + party.host() + "-" + party.pid() + " (" + party.id() + ")";
    }
}
