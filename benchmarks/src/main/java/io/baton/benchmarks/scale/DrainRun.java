package io.baton.benchmarks.scale;

import io.baton.benchmarks.scale.TimeLimit.Condition;
import io.baton.testkit.proxy.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** Locks are held, waiters queue, some are cut off in the middle, the locks are released, and the lines drain. */
final class DrainRun implements AutoCloseable {

    private static final Duration CUT_AT_LATEST = Duration.ofSeconds(20);
    private static final Duration STARTING = Duration.ofMinutes(2);
    private static final Duration AFTERWARDS = Duration.ofSeconds(1);
    private static final String LINES = "line-";

    private final ScaleCase what;
    private final Surroundings in;
    private final DrainPlan plan;
    private final TcpProxy proxy;
    private final List<LoadClient> waiting = new ArrayList<>();
    private final List<LoadClient> all = new ArrayList<>();

    DrainRun(ScaleCase what, Surroundings in, DrainPlan plan) {
        this.what = what;
        this.in = in;
        this.plan = plan;
        this.proxy = TcpProxy.to(in.server().address());
    }

    Figures measure() throws Exception {
        Figures figures = new Figures(what);
        String uri = in.store().uri(in.server().address());
        try (Neighbour neighbour = Neighbour.start(uri)) {
            LoadClient holder = start("holder", uri, LoadClient.LARGE);
            String name = in.store().scheme() + " " + what.word();
            if (areStarted(uri, new TimeLimit(name, STARTING), figures)) {
                TimeLimit limit = new TimeLimit(name, in.limit());
                double cpu = in.serverCpuSeconds();
                if (prepare(limit, holder, figures)) {
                    long requests = in.requests();
                    play(limit, holder, neighbour, figures);
                    figures.requestsPerWaiter = (double) (in.requests() - requests) / plan.waiters();
                }
                figures.serverCpuSeconds = in.serverCpuSeconds() - cpu;
            }
            ClientFigures.add(figures, all, neighbour, in.least());
            figures.granted = sum(waiting, LoadReport::granted);
        }
        GrantOrder.violation(grants()).ifPresent(figures::problem);
        return figures;
    }

    @Override
    public void close() {
        all.forEach(LoadClient::close);
        proxy.close();
    }

    private LoadClient start(String name, String uri, List<String> heap) throws Exception {
        LoadClient client = LoadClient.start(name, uri, heap, in.log(what, name));
        all.add(client);
        client.tell("quiet quiet-" + name);
        return client;
    }

    /** One after the other: what JVMs cost that start at once is no part of the case. */
    private boolean areStarted(String uri, TimeLimit limit, Figures figures) throws Exception {
        boolean connected = isConnected(limit, figures);
        for (int i = 0; connected && i < plan.processes(); i++) {
            waiting.add(start("waiting-" + i, plan.isCut(i) ? in.store().uri(proxy.address()) : uri, plan.heap()));
            connected = isConnected(limit, figures);
        }
        return connected;
    }

    private boolean isConnected(TimeLimit limit, Figures figures) throws Exception {
        if (!limit.await(new Phase("connected", () -> count(LoadReport::isReady), all.size()))) {
            figures.problem("NOT DONE: " + count(LoadReport::isReady) + " of " + all.size() + " clients connected");
            return false;
        }
        return true;
    }

    private boolean prepare(TimeLimit limit, LoadClient holder, Figures figures) throws Exception {
        LoadReport report = holder.report();
        long start = System.nanoTime();
        holder.tell("hold " + LINES + " " + plan.locks());
        Count answered = () -> report.held() + report.failed();
        limit.await(new Phase("locks held, or refused", answered, plan.locks()));
        if (report.held() < plan.locks()) {
            figures.problem("NOT DONE: " + report.held() + " of " + plan.locks() + " locks held");
            return false;
        }
        figures.note(String.format(
                Locale.ROOT, "%d locks held by one coordinator after %.1f s", plan.locks(), seconds(start)));
        return true;
    }

    private void play(TimeLimit limit, LoadClient holder, Neighbour neighbour, Figures figures) throws Exception {
        long before = in.raw().entries();
        int waiters = plan.waiters();
        Count failed = () -> sum(waiting, LoadReport::failed);
        // A lost hold has taken an entry away that was there before.
        Count lost = () -> sum(all, LoadReport::lost) + neighbour.lost();
        // If the holder has lost its lock, waiters are granted before it is released.
        Count granted = () -> sum(waiting, LoadReport::granted);
        Count queued = () -> in.raw().entries() - before + granted.now() + failed.now() + lost.now();
        long start = System.nanoTime();
        waiting.forEach(client -> client.tell("queue " + LINES + " " + plan.locks() + " " + plan.waitersEach()));
        limit.await(new Phase("queued", queued, waiters / 2), CUT_AT_LATEST);
        figures.note("cut off when " + queued.now() + " of " + waiters + " were queued");
        for (int i = 0; i < plan.processes(); i++) {
            if (plan.isCut(i)) {
                waiting.get(i).tell("cut");
            }
        }
        proxy.cut();
        if (!limit.await(new Phase("queued", queued, waiters))) {
            figures.problem("NOT DONE: " + queued.now() + " of " + waiters + " queued");
            return;
        }
        figures.queueSeconds = seconds(start);
        long released = System.nanoTime();
        holder.tell("release");
        Count done = () -> granted.now() + failed.now();
        if (!limit.await(new Phase("granted", done, waiters))) {
            figures.drainSeconds = seconds(released);
            figures.problem("NOT DONE: " + granted.now() + " of " + waiters + " granted");
            return;
        }
        long last = grants().stream().mapToLong(Grant::from).max().orElse(released);
        figures.drainSeconds = Math.max(0, last - released) / 1e9;
        limit.await(new Phase("watched afterwards", () -> 0, 1), AFTERWARDS);
    }

    private List<Grant> grants() {
        return waiting.stream()
                .flatMap(client -> client.report().grants().stream())
                .toList();
    }

    private int count(Predicate<LoadReport> which) {
        return sum(all, report -> which.test(report) ? 1 : 0);
    }

    private static int sum(List<LoadClient> clients, ToIntFunction<LoadReport> of) {
        return clients.stream()
                .mapToInt(client -> of.applyAsInt(client.report()))
                .sum();
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** How many there are. */
    private interface Count {
        long now() throws Exception;
    }

    /** Until there are enough; a client that has ended makes it fail. */
    private final class Phase implements Condition {

        private final String name;
        private final Count count;
        private final int enough;

        Phase(String name, Count count, int enough) {
            this.name = name;
            this.count = count;
            this.enough = enough;
        }

        @Override
        public boolean isMet() throws Exception {
            return count.now() >= enough;
        }

        @Override
        public boolean isHopeless() {
            return all.stream().anyMatch(client -> !client.isAlive());
        }

        @Override
        public String state() throws Exception {
            return count.now() + " of " + enough + " " + name;
        }
    }
}
