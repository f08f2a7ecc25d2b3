package io.baton.cli.elect;

import io.baton.CoordinationException;
import io.baton.IncompatibleOptionsException;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether a refused candidate keeps trying. An entry of a former process may cause a refusal, until its session
 * ends. A refusal that lasts longer is permanent. Other kinds of trouble may always pass.
 */
final class Refusals {

    private final String name;
    private final Duration patience;
    private String told = "";
    private long since;

    /** For the election with this name; {@code ttl} is how long sessions outlive their process. */
    Refusals(String name, Duration ttl) {
        this.name = name;
        this.patience = ttl.multipliedBy(3).dividedBy(2);
    }

    /**
     * Reports a refusal, once.
     *
     * @throws Failure if it is permanent
     */
    void check(Optional<CoordinationException> trouble) {
        String why = trouble.filter(Refusals::isRefusal).map(Failure::text).orElse("");
        if (!why.equals(told)) {
            since = told.isEmpty() ? System.nanoTime() : since;
            told = why;
            if (!why.isEmpty()) {
                Report.lineAside(why);
            }
        }
        if (!told.isEmpty() && System.nanoTime() - since > patience.toNanos()) {
            throw new Failure(Exit.UNAVAILABLE, "refused as a candidate in '" + name + "'");
        }
    }

    /** The other kinds are about the session and the contact. */
    private static boolean isRefusal(CoordinationException trouble) {
        return trouble.getClass().equals(CoordinationException.class)
                || trouble instanceof IncompatibleOptionsException;
    }
}
