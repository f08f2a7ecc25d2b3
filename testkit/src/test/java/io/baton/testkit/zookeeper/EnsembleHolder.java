package io.baton.testkit.zookeeper;

import java.util.concurrent.CountDownLatch;

/** A program that starts an ensemble, freezes one server of it, and tells the numbers of their processes. */
final class EnsembleHolder {

    private EnsembleHolder() {}

    public static void main(String[] args) throws Exception {
        ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
        ensemble.freeze(1);
        for (int server : ensemble.servers()) {
            System.out.println(ensemble.pid(server));
        }
        new CountDownLatch(1).await();
    }
}
