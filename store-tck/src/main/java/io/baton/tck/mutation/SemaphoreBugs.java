package io.baton.tck.mutation;

/** Bugs of the kinds that semaphores have had, in what all stores have in common of them. */
public final class SemaphoreBugs {

    private static final String SIZE_AFTER_ENTRIES =
            "private void compare() { if (closed || clear || mine == null || peers == null || !standsIn(peers)) {"
                    + " return; // without the own entry, the reading is older than that, or the entry is gone\n }"
                    + " if (sizing) { sizeAgain = true; return; }"
                    + " long upToMine = own(peers).orElseThrow().order();"
                    + " long taken = PermitContender.sum("
                    + " peers.stream().filter(peer -> peer.order() <= upToMine).toList());"
                    + " sizing = true; Futures.onDone(contender.presentSize(session), (size, failure) -> {";

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
                        "the size is read once, and not after the entries",
                        SIZE_AFTER_ENTRIES,
                        "private CompletableFuture<SemaphoreSize> once; "
                                + SIZE_AFTER_ENTRIES.replace(
                                        "Futures.onDone(contender.presentSize(session),",
                                        "once = once == null ? contender.presentSize(session) : once; Futures.onDone(once,"));
    }

    private static void inTheQueue(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.PermitPlace",
                        "those behind the first join the permits, too",
                        "public void waiting() { waits(); }",
                        "public void waiting() { waits(); if (permits == null && !closed) { permits = session.join(contender.permits(),"
                                + " contender.claim(), payload, new Permits()); look(); } }")
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
                        "what changes while the size is read is not looked at",
                        "if (sizing) { sizeAgain = true; return; }",
                        "if (sizing) { return; }");
    }
}
