package io.baton.testkit.etcd;

import io.baton.testkit.server.Command;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The programs of one version of etcd on this machine.
 *
 * <p>The environment variable {@code BATON_ETCD} names {@code etcd} programs, or directories that hold {@code etcd} and
 * {@code etcdctl}. Its entries are separated as in {@code PATH}. Without the variable, {@code PATH} is searched. If
 * several entries have the same version, the first is used.
 *
 * @param etcd the server
 * @param etcdctl the client, from the same directory
 * @param version the version that the server reports
 */
public record EtcdBinaries(Path etcd, Path etcdctl, EtcdVersion version) {

    /** The environment variable that names the programs. */
    public static final String VARIABLE = "BATON_ETCD";

    /** The message when no etcd is found; it explains how to get one. */
    public static final String HOW_TO_GET_ONE = "no etcd here: set " + VARIABLE + " to a directory that holds etcd and"
            + " etcdctl (in Baton's source tree: BATON_ETCD=$(tools/etcd)), or install it"
            + " (Debian: apt-get install etcd-server etcd-client)";

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Versions by program; a program does not change while tests run. */
    private static final Map<Path, String> told = new ConcurrentHashMap<>();

    /**
     * The newest version found.
     *
     * @throws IllegalStateException if there is none; the message explains how to get one
     */
    public static EtcdBinaries newest() {
        List<EtcdBinaries> all = all();
        return all.get(all.size() - 1);
    }

    /**
     * The oldest version found, which may also be the newest.
     *
     * @throws IllegalStateException if there is none; the message explains how to get one
     */
    public static EtcdBinaries oldest() {
        return all().get(0);
    }

    /**
     * One entry for each version found, the oldest first; never empty.
     *
     * @throws IllegalStateException if there is none; the message explains how to get one
     */
    public static List<EtcdBinaries> all() {
        List<EtcdBinaries> found = here();
        if (found.isEmpty()) {
            throw new IllegalStateException(HOW_TO_GET_ONE);
        }
        return found;
    }

    /**
     * Whether there is at least one version of etcd.
     *
     * @throws IllegalStateException if {@code BATON_ETCD} names a place without one
     */
    public static boolean available() {
        return !here().isEmpty();
    }

    private static List<EtcdBinaries> here() {
        return find(
                Optional.ofNullable(System.getenv(VARIABLE)),
                Optional.ofNullable(System.getenv("PATH")).orElse(""));
    }

    /** Returns one entry for each version in {@code variable}, or in {@code path} without it; the oldest first. */
    static List<EtcdBinaries> find(Optional<String> variable, String path) {
        Map<EtcdVersion, EtcdBinaries> found = new TreeMap<>();
        Optional<String> named = variable.filter(text -> !text.isBlank());
        places(named.orElse(path)).forEach(place -> {
            Optional<EtcdBinaries> each = at(place);
            if (each.isEmpty() && named.isPresent()) {
                throw new IllegalStateException(
                        VARIABLE + " names " + place + ", but there is no etcd with its etcdctl");
            }
            each.ifPresent(binaries -> found.putIfAbsent(binaries.version(), binaries));
        });
        return List.copyOf(found.values());
    }

    /** Whether the server supports this flag. */
    boolean knows(String flag) {
        return say(etcd, "--help").contains(flag);
    }

    private static Stream<Path> places(String list) {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(list)
                .filter(place -> !place.isBlank())
                .map(Path::of);
    }

    private static Optional<EtcdBinaries> at(Path place) {
        Path etcd = Files.isDirectory(place) ? place.resolve("etcd") : place;
        Path etcdctl = etcd.resolveSibling("etcdctl");
        if (!Files.isRegularFile(etcd) || !Files.isExecutable(etcd) || !Files.isExecutable(etcdctl)) {
            return Optional.empty();
        }
        return Optional.of(new EtcdBinaries(etcd, etcdctl, EtcdVersion.in(say(etcd, "--version"))));
    }

    private static String say(Path program, String flag) {
        return told.computeIfAbsent(program.resolveSibling(program.getFileName() + flag), key -> {
            Command.Outcome outcome = Command.run(List.of(program.toString(), flag), Map.of(), PATIENCE);
            return outcome.out() + outcome.err();
        });
    }
}
