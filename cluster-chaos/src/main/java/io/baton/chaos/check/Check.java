package io.baton.chaos.check;

import java.util.function.Consumer;

/** One rule that a history is held against. */
@FunctionalInterface
interface Check {

    /** Tells each violation. */
    void run(RunHistory history, Consumer<Violation> found);
}
