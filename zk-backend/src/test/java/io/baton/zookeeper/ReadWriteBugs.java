package io.baton.zookeeper;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs of the kinds that read/write locks have had, in ZooKeeper's part of them. */
final class ReadWriteBugs {

    private ReadWriteBugs() {}

    static void plant(PlantedBugs bugs) {
        io.baton.tck.mutation.ReadWriteBugs.plant(bugs);
        inTheLine(bugs);
        inDowngrades(bugs);
    }

    private static void inTheLine(PlantedBugs bugs) {
        bugs.inStore(
                        "LineListing",
                        "a reader does not wait for writers",
                        ".filter(entry -> claim.conflictsWith(entry.claim()))",
                        ".filter(entry -> false)")
                .inStore(
                        "LineListing",
                        "a writer does not wait for readers",
                        "mine.claim().equals(Claim.EXCLUSIVE) ? view(size) : conflicting("
                                + "entries.subList(0, size), mine.claim());",
                        "conflicting(entries.subList(0, size), Claim.SHARED);")
                .inStore(
                        "EntriesAhead",
                        "past the last number a reader does not wait for a writer",
                        "other.czxid() < place.token() && claim.conflictsWith(other.claim())",
                        "other.czxid() < place.token() && claim.equals(other.claim())")
                .inStore(
                        "PredecessorWatch",
                        "a writer waits for the nearest reader only",
                        "boolean first = isFirst();",
                        "boolean first = true;")
                .inStore(
                        "PredecessorWatch",
                        "entries of one session are thought to wait for each other",
                        "if (numbered && mutex && session.ownEntries()",
                        "if (numbered && session.ownEntries()")
                .inStore(
                        "EntriesAhead",
                        "prepared behind the nearest of several",
                        "predecessor.behind(others, place.name(), numbered);",
                        "predecessor.behind(others.subList(others.size() - 1, others.size()), place.name(), numbered);")
                .inStore(
                        "PredecessorWatch",
                        "a reader watches the last but one of several writers only",
                        "if (reader) {",
                        "if (false) {")
                .inStore(
                        "PredecessorWatch",
                        "the last but one goes, and a reader or writer does not look",
                        "further = null; prepare(); }",
                        "further = null; }");
    }

    private static void inDowngrades(PlantedBugs bugs) {
        bugs.inStore(
                        "EntriesAhead",
                        "a writer passes a downgraded entry",
                        "if (claim.equals(Claim.SHARED) && others.size() == 1) {",
                        "if (others.size() == 1) {")
                .inStore(
                        "EntriesAhead",
                        "a reader passes a writer that waits behind a downgraded entry",
                        "if (claim.equals(Claim.SHARED) && others.size() == 1) {",
                        "if (claim.equals(Claim.SHARED)) {")
                .inStore(
                        "EntriesAhead",
                        "any writer ahead is taken for downgraded",
                        "node != null && Downgrades.isMarked(node.data())",
                        "node != null")
                .inStore(
                        "EntriesAhead",
                        "a reader behind several writers hears of no downgrade",
                        "} else if (claim.equals(Claim.SHARED)) { list(); } }",
                        "} }")
                .inStore(
                        "EntriesAhead",
                        "a downgrade is seen by those only that come later",
                        "if (exclusiveAhead != null) { clearIfDowngraded(); } else if",
                        "if (exclusiveAhead != null) {} else if")
                .inStore(
                        "EntryDowngrade",
                        "a downgrade in doubt is not asked for again",
                        "owner.again(code, () -> send(done));",
                        "")
                .inStore(
                        "EntryDowngrade",
                        "a downgrade in doubt is taken for one that was made",
                        "owner.again(code, () -> send(done));",
                        "done.complete(null);");
    }
}
