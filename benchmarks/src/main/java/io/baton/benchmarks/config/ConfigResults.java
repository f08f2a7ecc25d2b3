package io.baton.benchmarks.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All that was measured on one store. */
final class ConfigResults {

    private record One(String what, String who, int sample, long value) {}

    private final String store;
    private final List<One> all = new ArrayList<>();

    ConfigResults(String store) {
        this.store = store;
    }

    /** Keeps a value; its unit stands in {@code what}. */
    void add(String what, String who, int sample, long value) {
        all.add(new One(what, who, sample, value));
    }

    /** All of a kind, sorted. */
    Sorted of(String what, String who) {
        return new Sorted(all.stream()
                .filter(one -> one.what.equals(what) && one.who.equals(who))
                .mapToLong(One::value)
                .sorted()
                .toArray());
    }

    /** Every value, as a CSV file. */
    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of("store,what,who,sample,value"));
        all.forEach(one -> lines.add(store + "," + one.what + "," + one.who + "," + one.sample + "," + one.value));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, lines);
    }
}
