package io.baton.tck.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The seeds of a simulation that found planted bugs. They are in a file beside the class that runs a seed, with a seed
 * and a bug in each line. Its name is that of the kind of simulation. It only saves time. If behaviour has changed and
 * a seed no longer finds its bug, all other seeds are tried.
 */
final class KnownSeeds {

    /** Whether to store the results; only if all bugs are searched for. */
    static final boolean TO_BE_STORED = Boolean.getBoolean("baton.planted.store") && PlantedBugs.ONLY.isEmpty();

    private final Class<?> simulations;
    private final String file;
    private final Map<String, Long> seeds;

    private KnownSeeds(Class<?> simulations, String file, Map<String, Long> seeds) {
        this.simulations = simulations;
        this.file = file;
        this.seeds = seeds;
    }

    /** Reads the seeds of a kind of simulation; empty if there is no file, or a new one is to be stored. */
    static KnownSeeds of(Class<?> simulations, String kind) {
        String file = kind.toLowerCase(Locale.ROOT) + ".planted";
        try (InputStream in = simulations.getResourceAsStream(file)) {
            boolean none = in == null || TO_BE_STORED;
            return new KnownSeeds(
                    simulations, file, none ? Map.of() : read(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    private static Map<String, Long> read(String text) {
        var seeds = new TreeMap<String, Long>();
        text.lines().filter(line -> !line.isBlank()).forEach(line -> {
            String[] parts = line.split("\t", 2);
            seeds.put(parts[1], Long.parseLong(parts[0]));
        });
        return seeds;
    }

    /** The seed that found this bug before. */
    OptionalLong of(String bug) {
        Long seed = seeds.get(bug);
        return seed == null ? OptionalLong.empty() : OptionalLong.of(seed);
    }

    /** Writes the results to the sources of the store's module. */
    void store(Path module, List<Verdict> verdicts) {
        var lines = new StringBuilder();
        verdicts.stream()
                .filter(Verdict::found)
                .forEach(each -> lines.append(each.seed())
                        .append('\t')
                        .append(each.bug())
                        .append('\n'));
        Path folder = module.resolve("src/test/resources")
                .resolve(simulations.getPackageName().replace('.', '/'));
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(file), lines);
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot write " + file, refused);
        }
    }
}
