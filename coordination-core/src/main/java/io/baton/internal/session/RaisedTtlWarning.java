package io.baton.internal.session;

import io.baton.recipe.Texts;
import io.baton.spi.Session;
import java.time.Duration;
import java.util.Optional;

/** A warning that the store has raised the ttl. Written once: later sessions are like the first one. */
final class RaisedTtlWarning {

    private boolean written;

    /** Returns the line to write, if there is to be one. */
    Optional<String> line(Duration asked, Session granted) {
        if (written) {
            return Optional.empty();
        }
        Optional<String> line = granted.whyTimeoutRaised()
                .map(why -> "Asked for a ttl of " + Texts.of(asked) + ", and the store keeps sessions for "
                        + Texts.of(granted.timeout()) + ": " + why
                        + ". The entries of a crashed client stay for that long");
        written = line.isPresent();
        return line;
    }
}
