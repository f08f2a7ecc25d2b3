package io.baton.zookeeper.wire;

/**
 * Why a server gives no contact, for people.
 *
 * @param text the server, and what is wrong with it
 * @param kind whether it can be expected to be right by itself
 */
public record Diagnosis(String text, Kind kind) {

    /** What can be expected of a server that was asked in vain. */
    public enum Kind {
        /** Cannot be reached, or does not answer. */
        AWAY,
        /** Ends connections without an answer, for which there are several reasons. */
        HANGS_UP,
        /** Answers as a ZooKeeper does, and takes no sessions. */
        AILING,
        /** The configuration has to change: it is not a ZooKeeper, or it speaks TLS otherwise than we do. */
        WRONG
    }
}
