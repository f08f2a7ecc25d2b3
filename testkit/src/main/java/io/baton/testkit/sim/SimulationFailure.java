package io.baton.testkit.sim;

/** A simulated run failed; the message holds the seed and the end of the trace. */
public final class SimulationFailure extends AssertionError {

    private static final long serialVersionUID = 1L;

    SimulationFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
