package io.baton.etcd;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs. */
final class EtcdReadWriteBugs {

    private EtcdReadWriteBugs() {}

    static void plant(PlantedBugs bugs) {}
}
