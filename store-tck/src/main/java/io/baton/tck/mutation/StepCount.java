package io.baton.tck.mutation;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.stream.LongStream;

/** Counts the steps of a state machine in a simulation. The counting is done in a copy of the machine. */
final class StepCount {

    /** The system property under which the copy finds the counter, as it sees only copies of Baton's classes. */
    private static final String COUNTER = StepCount.class.getName();

    private static final String STEP = "return switch (state) {";

    private final Mutation counting;

    /**
     * Counts the steps of a machine that is one switch on its state; {@code step} is a Java expression that names the
     * step.
     */
    StepCount(String module, String type, String step) {
        String counter = "((java.util.function.Consumer<String>) System.getProperties().get(\"" + COUNTER + "\"))";
        counting = Mutation.in(module, type, "counts", STEP, counter + ".accept(" + step + "); " + STEP);
    }

    /** Returns how often each step was taken in these seeds. Only one count may run at a time. */
    Map<String, Long> of(Class<? extends ObjLongConsumer<String>> simulations, String kind, LongStream seeds) {
        synchronized (StepCount.class) {
            var counts = new ConcurrentSkipListMap<String, Long>();
            Consumer<String> counter = step -> counts.merge(step, 1L, Long::sum);
            System.getProperties().put(COUNTER, counter);
            try {
                ObjLongConsumer<String> copy = counting.copyOf(simulations);
                seeds.parallel().forEach(seed -> copy.accept(kind, seed));
            } finally {
                System.getProperties().remove(COUNTER);
            }
            return counts;
        }
    }
}
