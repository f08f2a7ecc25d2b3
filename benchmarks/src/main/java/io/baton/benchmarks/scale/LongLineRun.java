package io.baton.benchmarks.scale;

import io.baton.benchmarks.scale.TimeLimit.Condition;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A line is filled by another client, and a coordinator with a quiet hold asks for it. */
final class LongLineRun implements AutoCloseable {

    private static final String LINE = "long";
    private static final int CALLS = 3;

    private static final Duration AFTERWARDS = Duration.ofSeconds(2);

    private final Surroundings in;
    private final LoadClient client;

    LongLineRun(Surroundings in) throws Exception {
        this.in = in;
        String uri = in.store().uri(in.server().address());
        this.client = LoadClient.start("asking", uri, LoadClient.LARGE, in.log(ScaleCase.LONG_LINE, "asking"));
    }

    Figures measure() throws Exception {
        Figures figures = new Figures(ScaleCase.LONG_LINE);
        TimeLimit limit = new TimeLimit(in.store().scheme() + " long-line", in.limit());
        double cpu = in.serverCpuSeconds();
        try (Neighbour neighbour = Neighbour.start(in.store().uri(in.server().address()))) {
            client.tell("quiet quiet");
            if (limit.await(new Until("connected", () -> client.report().isReady()))) {
                long start = System.nanoTime();
                in.raw()
                        .fill(
                                LINE,
                                in.store().refusesLongLines()
                                        ? in.size().entries()
                                        : in.size().listed());
                figures.queueSeconds = (System.nanoTime() - start) / 1e9;
                ask(limit, figures);
            }
            figures.serverCpuSeconds = in.serverCpuSeconds() - cpu;
            ClientFigures.add(figures, List.of(client), neighbour, in.least());
        }
        return figures;
    }

    @Override
    public void close() {
        client.close();
    }

    private void ask(TimeLimit limit, Figures figures) throws Exception {
        LoadReport report = client.report();
        client.tell("try " + LINE);
        boolean done = limit.await(new Until("answered", () -> report.attempts().size() == CALLS));
        List<Attempt> attempts = report.attempts();
        attempts.forEach(attempt -> figures.note(attempt.toString()));
        if (!done) {
            figures.problem("NOT DONE: " + attempts.size() + " of " + CALLS + " calls answered");
        }
        for (Attempt attempt : attempts) {
            boolean asExpected =
                    in.store().refusesLongLines() ? attempt.isAsExpectedWithoutListing() : !attempt.refused();
            if (!asExpected) {
                figures.problem(attempt.call() + (attempt.refused() ? " refused" : " answered") + " after "
                        + attempt.millis() + " ms");
            }
        }
        limit.await(new Until("watched afterwards", () -> false), AFTERWARDS);
    }

    /** A condition that this client may come to meet. */
    private final class Until implements Condition {

        private final String name;
        private final BooleanSupplier met;

        Until(String name, BooleanSupplier met) {
            this.name = name;
            this.met = met;
        }

        @Override
        public boolean isMet() {
            return met.getAsBoolean();
        }

        @Override
        public boolean isHopeless() {
            return !client.isAlive();
        }

        @Override
        public String state() {
            return "not yet " + name;
        }
    }
}
