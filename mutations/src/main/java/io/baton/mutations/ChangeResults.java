package io.baton.mutations;

import io.baton.mutations.Result.Status;
import io.baton.mutations.Result.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of all changes of one class, kept in a file: so that unit tests can be tried again without the simulation,
 * and the other way round. What was found of another version of the class is forgotten.
 */
final class ChangeResults {

    private final Path file;
    private final String version;
    private final List<Result> all;

    private ChangeResults(Path file, String version, List<Result> all) {
        this.file = file;
        this.version = version;
        this.all = new ArrayList<>(all);
    }

    static ChangeResults of(Path folder, Target target, String version, List<Mutant> mutants) throws IOException {
        Path file = folder.resolve(target.module() + "." + target.name() + ".tsv");
        Map<String, String[]> known = known(file, version);
        List<Result> all = mutants.stream()
                .map(mutant -> {
                    String[] row = known.get(mutant.key());
                    return row == null
                            ? Result.of(mutant)
                            : new Result(
                                    mutant,
                                    new Verdict(Status.valueOf(row[0]), row[1]),
                                    new Verdict(Status.valueOf(row[2]), row[3]));
                })
                .toList();
        return new ChangeResults(file, version, all);
    }

    private static Map<String, String[]> known(Path file, String version) throws IOException {
        var known = new HashMap<String, String[]>();
        if (!Files.exists(file)) {
            return known;
        }
        List<String> lines = Files.readAllLines(file);
        if (!lines.isEmpty() && lines.get(0).equals(version)) {
            lines.stream()
                    .skip(1)
                    .map(line -> line.split("\t", -1))
                    .forEach(row -> known.put(
                            String.join("\t", row[4], row[5], row[6], row[7]),
                            new String[] {row[0], row[1], row[2], row[3]}));
        }
        return known;
    }

    List<Result> all() {
        return List.copyOf(all);
    }

    void set(int index, Result result) {
        all.set(index, result);
    }

    void save() throws IOException {
        var lines = new ArrayList<String>();
        lines.add(version);
        for (Result each : all) {
            Mutant mutant = each.mutant();
            lines.add(String.join(
                    "\t",
                    each.byTests().status().name(),
                    plain(each.byTests().by()),
                    each.bySeeds().status().name(),
                    plain(each.bySeeds().by()),
                    mutant.key(),
                    String.valueOf(mutant.line()),
                    mutant.description()));
        }
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
    }

    private static String plain(String text) {
        return text.replaceAll("\\s+", " ");
    }
}
