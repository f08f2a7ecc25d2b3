package io.baton.chaos.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a client process is told on its command line.
 *
 * @param name what it is called
 * @param uri where its store is, by its own way to it
 * @param ttl of its sessions
 * @param contenders how many contend in it
 * @param locks how many locks there are
 * @param seed of what it does
 * @param history where it notes down what it sees
 */
public record ClientArguments(
        String name, String uri, Duration ttl, int contenders, int locks, long seed, Path history) {

    /** As it is written on a command line. */
    public List<String> words() {
        return List.of(
                name,
                uri,
                Long.toString(ttl.toMillis()),
                Integer.toString(contenders),
                Integer.toString(locks),
                Long.toString(seed),
                history.toString());
    }

    static ClientArguments of(String[] words) {
        return new ClientArguments(
                words[0],
                words[1],
                Duration.ofMillis(Long.parseLong(words[2])),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]),
                Long.parseLong(words[5]),
                Path.of(words[6]));
    }

    LockNames names() {
        return new LockNames(locks);
    }

    /** The tree of the counters; each has the name of its lock, or read/write lock. */
    public static final String COUNTERS = "counters";
}
