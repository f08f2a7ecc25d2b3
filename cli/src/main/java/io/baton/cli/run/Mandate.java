package io.baton.cli.run;

import io.baton.HoldState;
import io.baton.Subscription;
import java.time.Duration;
import java.util.Optional;

/** What a command runs under: a lock that is held, or a leadership. */
public interface Mandate {

    /** Of what. */
    String name();

    /** The fencing token. */
    long token();

    /** How long it is certain to last if the store is not heard from again. */
    Duration remaining();

    /** What it is worth now. */
    HoldState state();

    /** Why the command is to end now, however much time is left, as "handed over"; empty as long as it may go on. */
    Optional<String> recall();

    /** Runs whenever one of these may have changed. */
    Subscription onChange(Runnable listener);
}
