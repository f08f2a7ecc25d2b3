package io.baton.tck.mutation;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;
import java.util.stream.LongStream;

/** Counts the steps of a state machine in a simulation. The machine itself counts nothing; a copy of it does. */
final class StepCount {

    /** Where the copy, which sees no class of ours but copies, finds the one who counts. */
    private static final String COUNTER = StepCount.class.getName();

    private static final String STEP = "return switch (state) {";

    private final Mutation counting;

    /** Of a machine whose step is one switch on its state, by what is worth telling apart, as a Java expression. */
    StepCount(String module, String type, String step) {
        String counter = "((java.util.function.Consumer<String>) System.getProperties().get(\"" + COUNTER + "\"))";
        counting = Mutation.in(module, type, "counts", STEP, counter + ".accept(" + step + "); " + STEP);
    }

    /** How often each was taken in these seeds. One count at a time. */
    Map<String, Long> of(Class<? extends ObjLongConsumer<String>> simulations, String kind, LongStream seeds) {
        synchronized (StepCount.class) {
            var counts = new ConcurrentSkipListMap<String, Long>();
            Consumer<String> counter = step -> counts.merge(step, 1L, Long::sum);
            System.getProperties().put(COUNTER, counter);
            try {
                LongConsumer copy = Copies.of(
                        simulations, kind, SourceCompiler.compile(counting.type(), counting.planted(Copies.root())));
                seeds.parallel().forEach(copy);
            } finally {
                System.getProperties().remove(COUNTER);
            }
            return counts;
        }
    }
}
