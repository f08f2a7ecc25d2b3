package io.baton.benchmarks.scale;

import io.baton.benchmarks.scale.LoadClients.Count;
import io.baton.benchmarks.scale.TimeLimit.Condition;
import java.time.Duration;
import java.util.Locale;

/**
 * A lock is held, a few waiters of many processes queue, and are let in; then many do. The requests from the release to
 * the end of the last hold are counted at the server.
 */
final class HandOffRun implements AutoCloseable {

    /** How much more a hand-off may take among many than among few: what is sent meanwhile anyway is counted, too. */
    private static final double GROWTH = 1.5;

    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private final ScaleCase what;
    private final Surroundings in;
    private final LoadLock lock;
    private final int mostRequests;
    private final LoadClients clients;

    HandOffRun(ScaleCase what, Surroundings in, LoadLock lock, int mostRequests) {
        this.what = what;
        this.in = in;
        this.lock = lock;
        this.mostRequests = mostRequests;
        this.clients = new LoadClients(what, in);
    }

    Figures measure() throws Exception {
        Figures figures = new Figures(what);
        String uri = in.store().uri(in.server().address());
        try (Neighbour neighbour = Neighbour.start(uri)) {
            LoadClient holder = clients.startHolder(uri);
            if (areStarted(uri, figures)) {
                TimeLimit limit = new TimeLimit(in.store().scheme() + " " + what.word(), in.limit());
                figures.queueSeconds = 0;
                figures.drainSeconds = 0;
                double cpu = in.serverCpuSeconds();
                figures.requestsAmongFew = requestsPerHandOff(limit, in.size().fewEach(), holder, figures);
                figures.requestsAmongMany = requestsPerHandOff(limit, in.size().manyEach(), holder, figures);
                figures.serverCpuSeconds = in.serverCpuSeconds() - cpu;
            }
            ClientFigures.add(figures, clients.all(), neighbour, in.least());
            figures.granted = clients.granted();
        }
        judge(figures);
        return figures;
    }

    /** Waiters of one process share what they ask for: if all were woken, that would grow with the processes alone. */
    private void judge(Figures figures) {
        double few = figures.requestsAmongFew;
        double many = figures.requestsAmongMany;
        if (many > GROWTH * few || many > mostRequests) {
            figures.problem(
                    String.format(Locale.ROOT, "%.1f requests per hand-off, and %.1f among fewer waiters", many, few));
        }
    }

    @Override
    public void close() {
        clients.close();
    }

    private boolean areStarted(String uri, Figures figures) throws Exception {
        boolean connected = clients.isConnected(figures);
        for (int i = 0; connected && i < in.size().processes(); i++) {
            clients.startWaiting(uri, LoadClient.SMALL);
            connected = clients.isConnected(figures);
        }
        return connected;
    }

    /** {@code NaN} if it was not done in time. */
    private double requestsPerHandOff(TimeLimit limit, int waitersEach, LoadClient holder, Figures figures)
            throws Exception {
        int waiters = waitersEach * in.size().processes();
        // The same line in both rounds: what is left of one that has become empty goes at some time, and is no entry.
        String line = " " + lock.word() + " line- 1";
        int granted = clients.granted();
        int held = holder.report().held();
        holder.tell("hold" + line);
        boolean done = isDone(limit, "held", () -> holder.report().held() - held, 1, figures);
        long before = in.raw().entries();
        clients.waiting().forEach(client -> client.tell("queue" + line + " " + waitersEach));
        long start = System.nanoTime();
        done = done && isDone(limit, "queued", () -> in.raw().entries() - before, waiters, figures);
        figures.queueSeconds += seconds(start);
        done = done && limit.await(new Quiet());
        long requests = in.requests();
        holder.tell("release");
        start = System.nanoTime();
        done = done && isDone(limit, "granted", () -> clients.granted() - granted, waiters, figures);
        figures.drainSeconds += seconds(start);
        // The holder's entry has gone, too.
        done = done && isDone(limit, "ended", () -> before - in.raw().entries(), 1, figures);
        return done ? (double) (in.requests() - requests) / waiters : Double.NaN;
    }

    private boolean isDone(TimeLimit limit, String name, Count count, int enough, Figures figures) throws Exception {
        boolean done = limit.await(clients.phase(name, count, enough));
        if (!done) {
            figures.problem("NOT DONE: " + count.now() + " of " + enough + " " + name);
        }
        return done;
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** No client sends more than heartbeats, which are more than a look apart. */
    private final class Quiet implements Condition {

        private long looked = System.nanoTime();
        private long requests;

        @Override
        public boolean isMet() throws Exception {
            if (System.nanoTime() - looked < LOOK_EVERY.toNanos()) {
                return false;
            }
            long before = requests;
            requests = in.requests();
            looked = System.nanoTime();
            return requests - before <= clients.all().size();
        }

        @Override
        public boolean isHopeless() {
            return false;
        }

        @Override
        public String state() {
            return "not yet quiet";
        }
    }
}
