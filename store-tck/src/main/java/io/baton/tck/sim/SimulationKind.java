package io.baton.tck.sim;

import java.util.List;

/** The simulations of each store. */
public enum SimulationKind {
    /** Clients that contend for locks. */
    LOCKS("failed-seeds"),

    /** Clients that read, write and downgrade under a read/write lock. */
    READ_WRITE("failed-read-write-seeds"),

    /** Clients that contend for the permits of a semaphore. */
    SEMAPHORES("failed-semaphore-seeds"),

    /** Clients whose contenders share places in the line of a lock. */
    COHORTS("failed-cohort-seeds"),

    /** Candidates in an election, and observers of it. */
    ELECTIONS("failed-election-seeds"),

    /** Active and standby nodes. */
    STANDBYS("failed-standby-seeds"),

    /** Writers and followers of a configuration. */
    CONFIG("failed-config-seeds"),

    /** Followers of records. */
    RECORDS("failed-record-seeds");

    private final String failedSeeds;

    SimulationKind(String failedSeeds) {
        this.failedSeeds = failedSeeds;
    }

    /** The file with the seeds that once failed, beside the store's simulations. */
    String failedSeeds() {
        return failedSeeds;
    }

    /** Whether its clients contend for holds, and nothing else. */
    public boolean contends() {
        return switch (this) {
            case LOCKS, READ_WRITE, SEMAPHORES, COHORTS -> true;
            case ELECTIONS, STANDBYS, CONFIG, RECORDS -> false;
        };
    }

    /** The events that the daily seeds must contain on every store. */
    List<String> events() {
        return switch (this) {
            case LOCKS ->
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
                        "writes");
            case READ_WRITE ->
                List.of(
                        "clients closed",
                        "clients killed",
                        "downgrades",
                        "downgrades that failed",
                        "elections",
                        "entries deleted by hand",
                        "expiries",
                        "faults",
                        "freezes",
                        "grants",
                        "losses",
                        "readers beside others",
                        "refused writes",
                        "suspends",
                        "writes");
            case SEMAPHORES ->
                List.of(
                        "clients closed",
                        "clients killed",
                        "elections",
                        "entries deleted by hand",
                        "expiries",
                        "faults",
                        "freezes",
                        "grants",
                        "losses",
                        "permits that had to wait",
                        "resizes",
                        "suspends");
            case COHORTS ->
                List.of(
                        "clients closed",
                        "clients killed",
                        "elections",
                        "entries deleted by hand",
                        "expiries",
                        "faults",
                        "freezes",
                        "grants",
                        "losses",
                        "places that were left for others",
                        "refused writes",
                        "suspends",
                        "turns within a process",
                        "writes");
            case ELECTIONS ->
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
                        "terms lost");
            case STANDBYS ->
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
                        "suspends");
            case CONFIG ->
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
                        "suspends");
            case RECORDS ->
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
                        "transactions over several records");
        };
    }
}
