package io.baton.tck.mutation;

/** Bugs of the kinds that read/write locks have had, in what all stores have in common of them. */
public final class ReadWriteBugs {

    private ReadWriteBugs() {}

    /** Adds all of them. */
    public static void plant(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.DefaultWriteHold",
                        "a writer's hold stays valid while it is downgraded",
                        "return downgraded.get() ? HoldState.RELEASED : super.state();",
                        "return super.state();")
                .inCore(
                        "spi.support.Downgrades",
                        "a downgrade leaves no mark",
                        "System.arraycopy(MARK, 0, marked, payload.length, MARK.length);",
                        "");
    }
}
