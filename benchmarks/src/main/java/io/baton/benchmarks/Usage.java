package io.baton.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * What clients have used.
 *
 * @param cpuNanos how long the processors worked for their processes
 * @param allocated how many bytes their threads have allocated
 */
record Usage(long cpuNanos, long allocated) {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    /** Of this process, by the threads that live now: none may end within a round. */
    static Usage soFar() {
        long allocated = Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
        return new Usage(SYSTEM.getProcessCpuTime(), allocated);
    }

    Usage plus(Usage other) {
        return new Usage(cpuNanos + other.cpuNanos, allocated + other.allocated);
    }

    Usage minus(Usage before) {
        return new Usage(cpuNanos - before.cpuNanos, allocated - before.allocated);
    }
}
