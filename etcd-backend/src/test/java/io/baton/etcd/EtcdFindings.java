package io.baton.etcd;

import io.baton.tck.sim.lock.AuditsFindNothing;

/** What the audits of a session have found. */
record EtcdFindings(EtcdSession of) implements AuditsFindNothing.Findings {

    @Override
    public long session() {
        return of.lease();
    }

    @Override
    public long count() {
        return of.lostEvents().count();
    }

    @Override
    public String newest() {
        return of.lostEvents().newest();
    }
}
