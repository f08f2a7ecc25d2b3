package io.baton.etcd;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.mutation.SemaphoreBugs;

/** Bugs of the kinds that semaphores have had, in etcd's part of them. */
final class EtcdSemaphoreBugs {

    private EtcdSemaphoreBugs() {}

    static void plant(PlantedBugs bugs) {
        SemaphoreBugs.plant(bugs);
        // On ZooKeeper events and answers come in one order: the entries ahead are known before the own one.
        bugs.inCore(
                        "internal.PermitPlace",
                        "granted without the own entry among those that are read",
                        "peer -> mine != null && peer.name().equals(mine.peer().name())",
                        "peer -> true")
                .inStore(
                        "EntryNames",
                        "an entry of several permits is taken for one of one",
                        "return Math.max(1, Integer.parseInt(name.substring(0, Math.max(0, name.indexOf('/')))));",
                        "return 1;")
                .inStore(
                        "LineObservation",
                        "whoever went during a break is counted on",
                        "entries.clear(); ordered.clear(); doubtful = Set.of();",
                        "doubtful = Set.of();")
                .inStore(
                        "LineObservation",
                        "whoever has gone is counted on",
                        "if (before != null) { ordered.remove(before); }",
                        "");
    }
}
