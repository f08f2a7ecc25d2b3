package io.baton.cli.elect;

import io.baton.CoordinationException;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether a candidate that is refused goes on trying. What refuses it may be what a former process of it has left, which
 * goes when the session does; a refusal that stays for longer is for good. Other kinds of trouble may always pass.
 */
final class Refusals {

    private final String name;
    private final Duration patience;
    private String told = "";
    private long since;

    /** In the election that is called so here; sessions last this long once their process has gone. */
    Refusals(String name, Duration ttl) {
        this.name = name;
        this.patience = ttl.multipliedBy(3).dividedBy(2);
    }

    /**
     * Tells of it, once.
     *
     * @throws Failure if it is for good
     */
    void check(Optional<CoordinationException> trouble) {
        String why = trouble.filter(kind -> kind.getClass().equals(CoordinationException.class))
                .map(Failure::text)
                .orElse("");
        if (!why.equals(told)) {
            since = told.isEmpty() ? System.nanoTime() : since;
            told = why;
            if (!why.isEmpty()) {
                Report.line(why);
            }
        }
        if (!told.isEmpty() && System.nanoTime() - since > patience.toNanos()) {
            throw new Failure(Exit.UNAVAILABLE, "refused as a candidate in '" + name + "'");
        }
    }
}
