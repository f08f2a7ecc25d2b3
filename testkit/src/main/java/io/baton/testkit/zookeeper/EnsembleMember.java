package io.baton.testkit.zookeeper;

import java.io.IOException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * Main program of one server of an ensemble: ZooKeeper's own, and a thread that ends the process when its parent has
 * ended, in whatever way.
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

    /** Nothing is ever written to standard input; reading ends when the parent does. */
    private static void waitForParent() {
        try {
            System.in.readAllBytes();
        } catch (IOException gone) {
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(1);
    }
}
