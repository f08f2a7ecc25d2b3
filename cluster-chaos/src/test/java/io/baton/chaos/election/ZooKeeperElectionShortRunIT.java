package io.baton.chaos.election;

class ZooKeeperElectionShortRunIT extends ElectionShortRun {

    ZooKeeperElectionShortRunIT() {
        super(SiteKind.ZOOKEEPER);
    }
}
