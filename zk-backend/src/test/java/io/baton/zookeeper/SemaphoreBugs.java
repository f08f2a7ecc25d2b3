package io.baton.zookeeper;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs of the kinds that semaphores have had, in ZooKeeper's part of them. */
final class SemaphoreBugs {

    private SemaphoreBugs() {}

    static void plant(PlantedBugs bugs) {
        io.baton.tck.mutation.SemaphoreBugs.plant(bugs);
        bugs.inStore(
                        "LineWatch",
                        "whoever has gone is counted on",
                        "case DELETED -> entries.remove(name);",
                        "case DELETED -> {}")
                .inStore(
                        "LineWatch",
                        "a line is not listed again after a break",
                        "void connected() { attempts = 0; begin(); }",
                        "void connected() { attempts = 0; if (!listed) { begin(); } }")
                .inStore(
                        "PeersWatch",
                        "what moves while entries are ordered is not looked at",
                        "if (ordering) { again = true; }",
                        "if (ordering) {}")
                .inStore(
                        "PeersWatch",
                        "past the last number, numbers are believed",
                        "} else if (entries().stream().allMatch(EntryName::numbered)) {",
                        "} else if (true) {");
    }
}
