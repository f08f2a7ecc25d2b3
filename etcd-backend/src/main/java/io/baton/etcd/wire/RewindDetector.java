package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdWire.Header;

/**
 * Notices a store that has been set back, as by a restored backup: a read that was sent after a revision had been seen
 * answers from an earlier one, or another cluster answers. Told once each time.
 */
public final class RewindDetector {

    /** What was known when a request was sent. */
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

    /** For a request about to be sent. */
    public Mark mark() {
        return new Mark(era, known);
    }

    /** A member has said something, perhaps without asking the others: it may be behind, but not ahead of the store. */
    public void onHeader(Header header) {
        if (header.cluster() == cluster || cluster == 0) {
            cluster = header.cluster();
            known = Math.max(known, header.revision());
        } else {
            rewound(header);
        }
    }

    /** A write, or a linearizable read, has been answered. */
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
