package io.baton.cli.lock;

import io.baton.cli.run.Mandate;
import java.util.Optional;

/** What was acquired, as the mandate of a command. Nothing calls it back before it ends. */
interface Held extends Mandate, AutoCloseable {

    @Override
    default Optional<String> recall() {
        return Optional.empty();
    }

    /** Releases it. */
    @Override
    void close();
}
