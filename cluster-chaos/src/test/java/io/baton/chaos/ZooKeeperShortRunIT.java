package io.baton.chaos;

class ZooKeeperShortRunIT extends ShortRun {

    ZooKeeperShortRunIT() {
        super(StoreKind.ZOOKEEPER);
    }
}
