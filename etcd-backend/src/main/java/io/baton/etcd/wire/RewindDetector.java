package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdWire.Header;

/**
 * Detects a store that was set back, for example by a restored backup. A read sent after a revision was seen answers
 * from an earlier one, or another cluster answers. Each detection is reported once.
 */
public final class RewindDetector {

    /** What was known of the store when a request was sent. */
    public record Mark(int era, long revision) {}

    private final Runnable told;
    private int era;
    private long cluster;
    private long known;

    public RewindDetector(Runnable told) {
        this.told = told;
    }

    /** The highest revision that the store is known to have reached. */
    public long knownRevision() {
        return known;
    }

    /** Returns the mark for a request about to be sent. */
    public Mark mark() {
        return new Mark(era, known);
    }

    /**
     * Handles a member's header, perhaps from an answer without a quorum. The member may be behind the store, but not
     * ahead of it.
     */
    public void onHeader(Header header) {
        if (header.cluster() == cluster || cluster == 0) {
            cluster = header.cluster();
            known = Math.max(known, header.revision());
        } else {
            rewound(header);
        }
    }

    /** Handles the answer to a write or a linearizable read. */
    public void answered(Header header, Mark sent) {
        if (sent.era() == era && header.revision() < sent.revision()) {
            rewound(header);
        } else {
            onHeader(header);
        }
    }

    private void rewound(Header header) {
        era++;
        cluster = header.cluster();
        known = header.revision();
        told.run();
    }
}
