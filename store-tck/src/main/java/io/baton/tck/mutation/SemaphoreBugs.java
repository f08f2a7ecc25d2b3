package io.baton.tck.mutation;

/** Bugs of the kinds that semaphores have had, in what all stores have in common of them. */
public final class SemaphoreBugs {

    private SemaphoreBugs() {}

    /** Adds all of them. */
    public static void plant(PlantedBugs bugs) {
        inWhatFits(bugs);
        inTheQueue(bugs);
        inWhatIsFollowed(bugs);
    }

    private static void inWhatFits(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.PermitPlace",
                        "the own permits are not counted",
                        "peer.order() <= upToMine",
                        "peer.order() < upToMine")
                .inCore(
                        "internal.PermitContender",
                        "each contender is counted as one permit",
                        "peers.stream().mapToLong(peer -> peer.claim().permits()).sum();",
                        "peers.size();")
                .inCore(
                        "internal.PermitPlace",
                        "the first size is believed, not the present one",
                        "} else if (taken <= size.size()) {",
                        "} else if (taken <= size.declared()) {")
                .inCore(
                        "internal.PermitPlace",
                        "the size is read before the entries",
                        "} else if (taken <= size.size()) {",
                        "} else if (PermitContender.sum(peers.stream()"
                                + ".filter(peer -> peer.order() <= upToMine).toList()) <= size.size()) {")
                .inCore(
                        "internal.PermitPlace",
                        "granted without the own entry among those that are read",
                        "return all.stream().filter(peer -> mine != null && peer.name().equals(mine.peer().name())).findFirst();",
                        "return Optional.of(mine.peer());");
    }

    private static void inTheQueue(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.PermitPlace",
                        "those behind the first join the permits, too",
                        "public void waiting() { waits(); }",
                        "public void waiting() { waits(); if (permits == null && !closed) { clear(null); } }")
                .inCore(
                        "internal.PermitPlace",
                        "the queue is not left with the grant",
                        "var unused = leave(queued); to.clear(mine);",
                        "to.clear(mine);")
                .inCore(
                        "internal.PermitPlace",
                        "the queue is left before the permits fit",
                        "mine = entry; if (peers",
                        "mine = entry; var unused = leave(queued); if (peers")
                .inCore(
                        "internal.PermitPlace",
                        "who gives up keeps its permits",
                        "left = CompletableFuture.allOf(leave(permits), leave(queued));",
                        "left = leave(queued);")
                .inCore(
                        "internal.PermitPlace",
                        "who has lost its place in the queue goes on waiting",
                        "if (!clear) { fail(why); }",
                        "");
    }

    private static void inWhatIsFollowed(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.PermitPlace",
                        "the first of the queue does not follow the permits",
                        "peers = now; compare();",
                        "if (waited && clear) { return; } boolean first = !waited; peers = now;"
                                + " if (first) { compare(); }")
                .inCore(
                        "internal.PermitPlace",
                        "a change of the size is not followed",
                        "contender.records().observe(contender.size(), size -> compare());",
                        "contender.records().observe(contender.size(), size -> {});")
                .inCore(
                        "internal.PermitPlace",
                        "what changes while the size is read is not looked at",
                        "if (sizing) { sizeAgain = true; return; }",
                        "if (sizing) { return; }");
    }
}
