package io.baton.zookeeper;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs. */
final class SemaphoreBugs {

    private SemaphoreBugs() {}

    static void plant(PlantedBugs bugs) {}
}
