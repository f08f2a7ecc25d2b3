package io.baton.chaos.history;

/** Kinds of faults that a check has to know. */
public final class FaultKinds {

    /** A client's wall clock shows another time for a while. */
    public static final String CLIENT_CLOCK_MOVED = "client's wall clock moved";

    private FaultKinds() {}
}
