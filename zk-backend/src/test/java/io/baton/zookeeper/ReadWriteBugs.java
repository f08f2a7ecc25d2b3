package io.baton.zookeeper;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs. */
final class ReadWriteBugs {

    private ReadWriteBugs() {}

    static void plant(PlantedBugs bugs) {}
}
