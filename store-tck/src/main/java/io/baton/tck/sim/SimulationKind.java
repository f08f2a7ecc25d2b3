package io.baton.tck.sim;

import java.util.List;

/** What is simulated on each store. */
public enum SimulationKind {
    /** Clients that contend for locks. */
    LOCKS(
            "failed-seeds",
            List.of(
                    "clients closed",
                    "clients killed",
                    "delays",
                    "disconnects",
                    "disks stalled",
                    "elections",
                    "entries deleted by hand",
                    "expiries",
                    "faults",
                    "freezes",
                    "grants",
                    "late answers before an outage",
                    "leaders in trouble",
                    "lines followed",
                    "looks at holds in undisturbed contact",
                    "losses",
                    "lost replies",
                    "lost requests",
                    "outages",
                    "refused writes",
                    "refused: reads denied",
                    "silences",
                    "slow quorums",
                    "steps",
                    "suspends",
                    "wall clocks set back",
                    "writes")),

    /** Candidates in an election, and observers of it. */
    ELECTIONS(
            "failed-election-seeds",
            List.of(
                    "changes seen",
                    "clients closed",
                    "clients killed",
                    "elections",
                    "entries deleted by hand",
                    "expiries",
                    "faults",
                    "freezes",
                    "handed over",
                    "handing over refused",
                    "last resorts",
                    "leaders that lasted",
                    "lines followed",
                    "suspends",
                    "terms",
                    "terms lost")),

    /** Active and standby nodes. */
    STANDBYS(
            "failed-standby-seeds",
            List.of(
                    "breadcrumbs removed",
                    "breadcrumbs replaced by another node",
                    "clients closed",
                    "clients killed",
                    "demotions made good",
                    "demotions that came to a good end",
                    "demotions that failed",
                    "elections",
                    "entries deleted by hand",
                    "expiries",
                    "faults",
                    "fencers interrupted",
                    "fencings",
                    "fencings that failed",
                    "freezes",
                    "handed over",
                    "handing over refused",
                    "hooks interrupted",
                    "last resorts",
                    "nodes started anew",
                    "nodes that were unwell",
                    "pauses",
                    "processes halted",
                    "promotions",
                    "promotions that came to a good end",
                    "promotions that failed",
                    "suspends")),

    /** Writers and followers of a configuration. */
    CONFIG(
            "failed-config-seeds",
            List.of(
                    "changes",
                    "changes in doubt",
                    "clients closed",
                    "clients killed",
                    "elections",
                    "expiries",
                    "faults",
                    "freezes",
                    "resynced",
                    "states applied",
                    "states rejected",
                    "suspends")),

    /** Followers of records. */
    RECORDS(
            "failed-record-seeds",
            List.of(
                    "batches of one",
                    "batches of several",
                    "clients closed",
                    "clients killed",
                    "disconnects",
                    "elections",
                    "faults",
                    "records recreated",
                    "snapshots after a gap",
                    "transactions over several records"));

    private final String failedSeeds;
    private final List<String> events;

    SimulationKind(String failedSeeds, List<String> events) {
        this.failedSeeds = failedSeeds;
        this.events = events;
    }

    /** The file with the seeds that ever failed, beside the store's simulations. */
    String failedSeeds() {
        return failedSeeds;
    }

    /** What has to have happened in the seeds of every day, on whatever store. */
    List<String> events() {
        return events;
    }
}
