package io.baton.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Time, processor time and requests since the start of a round. */
final class Meter {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final Server server;
    private final long requests;
    private final long cpu;
    private final long start;

    private Meter(Server server) throws Exception {
        this.server = server;
        this.requests = server.requests();
        this.cpu = SYSTEM.getProcessCpuTime();
        this.start = System.nanoTime();
    }

    static Meter start(Server server) throws Exception {
        return new Meter(server);
    }

    Outcome read(long passes) throws Exception {
        long nanos = System.nanoTime() - start;
        return new Outcome(passes, nanos, server.requests() - requests, SYSTEM.getProcessCpuTime() - cpu);
    }
}
