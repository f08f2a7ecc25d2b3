package io.baton.etcd;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs. */
final class EtcdSemaphoreBugs {

    private EtcdSemaphoreBugs() {}

    static void plant(PlantedBugs bugs) {}
}
