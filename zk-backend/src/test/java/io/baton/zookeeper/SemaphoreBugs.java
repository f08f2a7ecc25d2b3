package io.baton.zookeeper;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs of the kinds that semaphores have had, in ZooKeeper's part of them. */
final class SemaphoreBugs {

    private SemaphoreBugs() {}

    static void plant(PlantedBugs bugs) {
        io.baton.tck.mutation.SemaphoreBugs.plant(bugs);
        // On etcd a hold seldom lasts for longer than the bound within which that has to be seen.
        bugs.inCore(
                        "internal.PermitPlace",
                        "a change of the size is not followed",
                        "if (failure != null || size.map(SemaphoreSize::size).orElse(0) != seenSize) {",
                        "if (failure != null) {")
                .inStore(
                        "LineWatch",
                        "whoever has gone is counted on",
                        "case DELETED -> entries.remove(name);",
                        "case DELETED -> {}")
                .inStore(
                        "PeersWatch",
                        "past the last number, numbers are believed",
                        "} else if (entries().stream().allMatch(EntryName::numbered)) {",
                        "} else if (true) {");
    }
}
