package io.baton.benchmarks;

/** Time, requests, and what this process has used since the start of a round. */
final class Meter {

    private final Server server;
    private final long requests;
    private final Usage usage;
    private final long start;

    private Meter(Server server) throws Exception {
        this.server = server;
        this.requests = server.requests();
        this.usage = Usage.soFar();
        this.start = System.nanoTime();
    }

    static Meter start(Server server) throws Exception {
        return new Meter(server);
    }

    Outcome read(long passes, Fairness fairness) throws Exception {
        long nanos = System.nanoTime() - start;
        Usage used = Usage.soFar().minus(usage);
        return new Outcome(passes, nanos, server.requests() - requests, used, fairness);
    }
}
