package io.baton.testkit.zookeeper;

import java.io.IOException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * What runs in the process of one server of an ensemble: ZooKeeper's own main program, and a thread that ends the
 * process as soon as the one that started it has gone, however it went.
 */
final class EnsembleMember {

    private EnsembleMember() {}

    /**
     * Serves until killed, or until standard input ends.
     *
     * @param args the path of the configuration
     */
    public static void main(String[] args) {
        Thread leash = new Thread(EnsembleMember::waitForParent, "leash");
        leash.setDaemon(true);
        leash.start();
        QuorumPeerMain.main(args);
    }

    /** Nothing is ever written to us: reading ends when the writer does. */
    private static void waitForParent() {
        try {
            System.in.readAllBytes();
        } catch (IOException gone) {
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(1);
    }
}
