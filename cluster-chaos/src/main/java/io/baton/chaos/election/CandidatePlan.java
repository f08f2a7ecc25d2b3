package io.baton.chaos.election;

import java.util.List;

/**
 * Who stands: what runs in each process.
 *
 * @param main the program
 * @param words what a process is told on its command line
 * @param prefix how the names of the processes begin
 * @param processes how many there are at a time
 * @param heapMegabytes what each may use
 */
public record CandidatePlan(Class<?> main, Words words, String prefix, int processes, int heapMegabytes) {

    /** Makes a command line. */
    @FunctionalInterface
    public interface Words {

        /** That of a process called so, which reaches its store there. */
        List<String> of(String name, String uri);
    }
}
