package io.baton.recipes.internal;

import io.baton.recipe.LineMember;
import io.baton.recipes.GroupMember;
import java.util.List;

/** A party of a barrier, and an entry of it that stands in the line. */
record StandingParty(GroupMember party, LineMember entry) {

    /** Returns the entries of parties, in the order of the line. */
    static List<StandingParty> of(List<LineMember> line) {
        return line.stream()
                .flatMap(entry ->
                        GroupEntry.decode(entry.payload()).map(party -> new StandingParty(party, entry)).stream())
                .toList();
    }

    String id() {
        return party.id();
    }

    static List<String> ids(List<StandingParty> standing) {
        return standing.stream().map(StandingParty::id).toList();
    }

    static List<GroupMember> parties(List<StandingParty> standing) {
        return standing.stream().map(StandingParty::party).toList();
    }

    static List<LineMember> entries(List<StandingParty> standing) {
        return standing.stream().map(StandingParty::entry).toList();
    }
}
