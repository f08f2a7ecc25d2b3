package io.baton.cli.lock;

import io.baton.Hold;
import io.baton.cli.run.Mandate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What was acquired, as the mandate of a command. */
interface Held extends Mandate, AutoCloseable {

    /** The holds, in the order of the command line. */
    List<Hold> inOrder();

    /** Tells how one of them was lost. */
    EvictionLookup evictions();

    @Override
    default String name() {
        return endsFirst().name();
    }

    @Override
    default Optional<String> lossReason() {
        return evictions().of(endsFirst());
    }

    private Hold endsFirst() {
        return inOrder().stream().min(Comparator.comparing(Hold::remaining)).orElseThrow();
    }

    @Override
    default Optional<String> recall() {
        return Optional.empty();
    }

    /** Releases it. */
    @Override
    void close();
}
