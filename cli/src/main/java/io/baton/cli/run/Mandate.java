package io.baton.cli.run;

import io.baton.HoldState;
import io.baton.Subscription;
import java.time.Duration;
import java.util.Optional;

/** The condition under which a command runs: held locks or permits, or a leadership. */
public interface Mandate {

    /** The name of the lock or election; of several locks, that of the one that ends first. */
    String name();

    /** The fencing token; of several locks the tokens, in the order of the job's names, with a blank in between. */
    String token();

    /** How long it is certain to last without further contact with the store. */
    Duration remaining();

    /** Its state now. */
    HoldState state();

    /** Why the command must end now, whatever time is left, as "handed over"; empty while it may go on. */
    Optional<String> recall();

    /**
     * How it was lost, as "evicted by ops"; empty if only the loss is known. May ask the store. Called once the command
     * has ended.
     */
    Optional<String> lossReason();

    /** Runs the listener whenever one of these may have changed. */
    Subscription onChange(Runnable listener);
}
