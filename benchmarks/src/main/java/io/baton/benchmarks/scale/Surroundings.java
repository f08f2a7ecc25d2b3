package io.baton.benchmarks.scale;

import io.baton.benchmarks.Server;
import java.nio.file.Path;
import java.time.Duration;

/**
 * In which a case runs.
 *
 * @param store on which
 * @param server that only this case uses
 * @param raw the store's own client
 * @param size how much
 * @param limit how long it may take
 * @param least the goal for holds: for how much of the ttl they are certain, at least
 * @param logs where clients log
 */
record Surroundings(
        ScaleStore store, Server server, RawClient raw, LoadSize size, Duration limit, double least, Path logs) {

    /** Where clients write what they have to say. */
    Path log(ScaleCase what, String client) {
        return logs.resolve("scale-" + store.scheme() + "-" + what.word() + "-" + client + ".log");
    }

    /** How many requests the server has had from all but the raw client. */
    long requests() throws Exception {
        return server.requests() - raw.requests();
    }

    /** The processor time that the server has used. */
    double serverCpuSeconds() {
        return ProcessHandle.of(server.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .map(cpu -> cpu.toNanos() / 1e9)
                .orElse(Double.NaN);
    }
}
