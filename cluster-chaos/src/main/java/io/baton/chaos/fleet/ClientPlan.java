package io.baton.chaos.fleet;

import io.baton.chaos.client.ClientArguments;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Who the clients are.
 *
 * @param processes how many processes there are at a time
 * @param contenders how many contend in each
 * @param locks on how many locks; on read/write locks and semaphores besides
 * @param ttl of their sessions
 * @param heapMegabytes what each process may use
 * @param seed of what they do
 */
public record ClientPlan(int processes, int contenders, int locks, Duration ttl, int heapMegabytes, long seed) {

    ClientArguments arguments(String name, String uri, int berth, int incarnation, Path history) {
        long its = seed * 1_000_003 + berth * 1_009L + incarnation;
        return new ClientArguments(name, uri, ttl, contenders, locks, its, history);
    }
}
