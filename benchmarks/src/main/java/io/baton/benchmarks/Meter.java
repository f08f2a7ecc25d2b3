package io.baton.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** Time, processor time, allocation and requests since the start of a round. */
final class Meter {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private final Server server;
    private final long requests;
    private final long cpu;
    private final long allocated;
    private final long start;

    private Meter(Server server) throws Exception {
        this.server = server;
        this.requests = server.requests();
        this.cpu = SYSTEM.getProcessCpuTime();
        this.allocated = allocatedBytes();
        this.start = System.nanoTime();
    }

    static Meter start(Server server) throws Exception {
        return new Meter(server);
    }

    Outcome read(long passes, Fairness fairness) throws Exception {
        long nanos = System.nanoTime() - start;
        long cpuNanos = SYSTEM.getProcessCpuTime() - cpu;
        long bytes = allocatedBytes() - allocated;
        return new Outcome(passes, nanos, server.requests() - requests, cpuNanos, bytes, fairness);
    }

    /** By the threads that live now: none may end within a round. */
    private static long allocatedBytes() {
        return Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }
}
