package io.baton.zookeeper;

import io.baton.tck.sim.lock.AuditsFindNothing;

/** What the audits of a session have found, with the names of entries as in {@link ZkTruth}. */
record ZkFindings(ZkSession of) implements AuditsFindNothing.Findings {

    @Override
    public long session() {
        return of.number();
    }

    @Override
    public long count() {
        return of.lostEvents().count();
    }

    @Override
    public String newest() {
        String path = of.lostEvents().newest();
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
