package io.baton.benchmarks.scale;

import io.baton.benchmarks.scale.LoadClients.Count;
import io.baton.testkit.proxy.TcpProxy;
import java.time.Duration;
import java.util.Locale;

/** Locks are held, waiters queue, some are cut off in the middle, the locks are released, and the lines drain. */
final class DrainRun implements AutoCloseable {

    private static final Duration CUT_AT_LATEST = Duration.ofSeconds(20);
    private static final Duration AFTERWARDS = Duration.ofSeconds(1);
    private static final String LINES = "line-";

    private final ScaleCase what;
    private final Surroundings in;
    private final DrainPlan plan;
    private final TcpProxy proxy;
    private final LoadClients clients;

    DrainRun(ScaleCase what, Surroundings in, DrainPlan plan) {
        this.what = what;
        this.in = in;
        this.plan = plan;
        this.proxy = TcpProxy.to(in.server().address());
        this.clients = new LoadClients(what, in);
    }

    Figures measure() throws Exception {
        Figures figures = new Figures(what);
        String uri = in.store().uri(in.server().address());
        try (Neighbour neighbour = Neighbour.start(uri)) {
            LoadClient holder = clients.startHolder(uri);
            if (areStarted(uri, figures)) {
                TimeLimit limit = new TimeLimit(in.store().scheme() + " " + what.word(), in.limit());
                double cpu = in.serverCpuSeconds();
                if (prepare(limit, holder, figures)) {
                    long requests = in.requests();
                    play(limit, holder, neighbour, figures);
                    figures.requestsPerWaiter = (double) (in.requests() - requests) / plan.waiters();
                }
                figures.serverCpuSeconds = in.serverCpuSeconds() - cpu;
            }
            ClientFigures.add(figures, clients.all(), neighbour, in.least());
            figures.granted = clients.granted();
        }
        GrantOrder.violation(clients.grants()).ifPresent(figures::problem);
        return figures;
    }

    @Override
    public void close() {
        clients.close();
        proxy.close();
    }

    /** One after the other: what JVMs cost that start at once is no part of the case. */
    private boolean areStarted(String uri, Figures figures) throws Exception {
        boolean connected = clients.isConnected(figures);
        for (int i = 0; connected && i < plan.processes(); i++) {
            clients.startWaiting(plan.isCut(i) ? in.store().uri(proxy.address()) : uri, plan.heap());
            connected = clients.isConnected(figures);
        }
        return connected;
    }

    private boolean prepare(TimeLimit limit, LoadClient holder, Figures figures) throws Exception {
        LoadReport report = holder.report();
        long start = System.nanoTime();
        holder.tell("hold lock " + LINES + " " + plan.locks());
        Count answered = () -> report.held() + report.failed();
        limit.await(clients.phase("locks held, or refused", answered, plan.locks()));
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
        Count failed = clients::failed;
        // A lost hold has taken an entry away that was there before.
        Count lost = () -> clients.lost() + neighbour.lost();
        // If the holder has lost its lock, waiters are granted before it is released.
        Count granted = clients::granted;
        Count queued = () -> in.raw().entries() - before + granted.now() + failed.now() + lost.now();
        long start = System.nanoTime();
        clients.waiting()
                .forEach(client -> client.tell("queue lock " + LINES + " " + plan.locks() + " " + plan.waitersEach()));
        limit.await(clients.phase("queued", queued, waiters / 2), CUT_AT_LATEST);
        figures.note("cut off when " + queued.now() + " of " + waiters + " were queued");
        for (int i = 0; i < plan.processes(); i++) {
            if (plan.isCut(i)) {
                clients.waiting().get(i).tell("cut");
            }
        }
        proxy.cut();
        if (!limit.await(clients.phase("queued", queued, waiters))) {
            figures.problem("NOT DONE: " + queued.now() + " of " + waiters + " queued");
            return;
        }
        figures.queueSeconds = seconds(start);
        long released = System.nanoTime();
        holder.tell("release");
        Count done = () -> granted.now() + failed.now();
        if (!limit.await(clients.phase("granted", done, waiters))) {
            figures.drainSeconds = seconds(released);
            figures.problem("NOT DONE: " + granted.now() + " of " + waiters + " granted");
            return;
        }
        long last = clients.grants().stream().mapToLong(Grant::from).max().orElse(released);
        figures.drainSeconds = Math.max(0, last - released) / 1e9;
        limit.await(clients.phase("watched afterwards", () -> 0, 1), AFTERWARDS);
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
