package io.baton.benchmarks;

import io.baton.benchmarks.Fairness.Part;

/**
 * What a client in a process of its own tells of a round.
 *
 * @param usage of its process
 * @param end when it was done, by {@link System#nanoTime}, which is one clock for all processes of a Linux machine
 */
record ClientRound(Part part, Usage usage, long end) {

    /** As {@link #parse} reads it. */
    String words() {
        return part.passes() + " " + part.longestWaitNanos() + " " + usage.cpuNanos() + " " + usage.allocated() + " "
                + end;
    }

    static ClientRound parse(String words) {
        String[] word = words.split(" ", -1);
        return new ClientRound(
                new Part(Long.parseLong(word[0]), Long.parseLong(word[1])),
                new Usage(Long.parseLong(word[2]), Long.parseLong(word[3])),
                Long.parseLong(word[4]));
    }
}
