package io.baton.chaos.candidate;

import io.baton.election.WhenSuspended;
import java.time.Duration;
import java.util.List;

/**
 * What a process of candidates is told on its command line.
 *
 * @param name what it is called; its candidates are called so too, with a dot and a number from 1
 * @param uri where its store is, by its own way to it
 * @param ttl of its session
 * @param election in which they stand
 * @param candidates how many stand in it
 * @param whenSuspended what a leader does without contact
 * @param stopTimeout how long a leader's work may take to stop
 * @param observes whether it observes the election, too
 * @param writes whether its leaders write, guarded, and do not stop writing before a write is refused
 */
public record CandidateArguments(
        String name,
        String uri,
        Duration ttl,
        String election,
        int candidates,
        WhenSuspended whenSuspended,
        Duration stopTimeout,
        boolean observes,
        boolean writes) {

    /** As it is written on a command line. */
    public List<String> words() {
        return List.of(
                name,
                uri,
                Long.toString(ttl.toMillis()),
                election,
                Integer.toString(candidates),
                whenSuspended.name(),
                Long.toString(stopTimeout.toMillis()),
                Boolean.toString(observes),
                Boolean.toString(writes));
    }

    /** What these words say. */
    public static CandidateArguments of(String[] words) {
        return new CandidateArguments(
                words[0],
                words[1],
                Duration.ofMillis(Long.parseLong(words[2])),
                words[3],
                Integer.parseInt(words[4]),
                WhenSuspended.valueOf(words[5]),
                Duration.ofMillis(Long.parseLong(words[6])),
                Boolean.parseBoolean(words[7]),
                Boolean.parseBoolean(words[8]));
    }

    /** The id of a candidate, numbered from 1. */
    public String candidate(int number) {
        return name + "." + number;
    }
}
