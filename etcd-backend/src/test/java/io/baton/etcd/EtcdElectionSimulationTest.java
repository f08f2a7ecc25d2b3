package io.baton.etcd;

import io.baton.tck.mutation.ElectionBugs;
import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import io.baton.testkit.LongRun;
import java.util.List;

/** Elections on simulated etcd clusters, under faults. */
class EtcdElectionSimulationTest extends SimulationSuite {

    EtcdElectionSimulationTest() {
        super(new EtcdSimulations(), SimulationKind.ELECTIONS, "etcd, elections", 200, 1_000);
    }

    @Override
    protected List<String> events() {
        return List.of("leases revoked by an operator", "moves to another lease");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        if (LongRun.asked()) {
            ElectionBugs.plant(bugs); // every day on ZooKeeper alone
        }
        bugs.inStore(
                        "LinePlace",
                        "the work is begun before the store has said that nobody stands ahead",
                        "ownEntries.add(this); life.joined();",
                        "ownEntries.add(this); life.joined(); if (life.waits()) { life.first(); }")
                .inStore(
                        "EntriesAhead",
                        "the work is begun once somebody ahead has gone",
                        "} else if (ahead.removeAll(keys) && ahead.isEmpty()) {",
                        "} else if (ahead.removeAll(keys)) {")
                .inStore(
                        "EntriesAhead",
                        "the work is begun once the nearest one ahead has gone",
                        "session.predecessorWatches().add(place.prefix(), predecessor); predecessor = null; } unwatch(); list(); }",
                        "session.predecessorWatches().add(place.prefix(), predecessor); predecessor = null; } life.first(); }")
                .inStore(
                        "LinePlace",
                        "the term is the lease, not the revision that made the entry",
                        "new Entry(new Peer(line, name, token, claim), token,",
                        "new Entry(new Peer(line, name, token), lease,")
                .inStore(
                        "HeadObservation",
                        "an observer is not told that the line is empty",
                        "if (!(begun && same(told, first))) {",
                        "if (first != null && !(begun && same(told, first))) {")
                .inStore(
                        "PrefixWatch",
                        "an observer goes on one revision too late after a break",
                        "next = one.getKey() + 1;",
                        "next = one.getKey() + 2;")
                .inStore(
                        "PrefixWatch",
                        "an observer goes on from now after a break",
                        "created(Header header) {",
                        "created(Header header) { next = header.revision() + 1;")
                .inStore(
                        "Audit",
                        "what an observer was not told is not looked for",
                        "lines.forEach(line -> prefixes.add(line.prefix()));",
                        "");
    }
}
