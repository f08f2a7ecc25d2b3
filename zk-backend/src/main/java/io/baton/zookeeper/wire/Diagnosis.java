package io.baton.zookeeper.wire;

/**
 * Why a server gives no contact.
 *
 * @param text the server, and what is wrong with it
 * @param kind whether it may recover by itself
 */
public record Diagnosis(String text, Kind kind) {

    /** The prospects of a server that gave no contact. */
    public enum Kind {
        /** Cannot be reached, or does not answer. */
        AWAY,
        /** Closes connections without an answer, which can have several reasons. */
        HANGS_UP,
        /** Answers as a ZooKeeper server does, but takes no sessions. */
        AILING,
        /** The configuration must change: it is not a ZooKeeper server, or its TLS settings do not match. */
        WRONG
    }
}
