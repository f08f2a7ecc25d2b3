package io.baton.cli.ls;

import io.baton.cli.ls.StoreContents.Configuration;
import io.baton.cli.ls.StoreContents.Election;
import io.baton.cli.ls.StoreContents.Kind;
import io.baton.cli.ls.StoreContents.Lock;
import io.baton.election.Leader;
import io.baton.spi.Names;
import io.baton.spi.inspect.StoreInspector;
import io.baton.spi.inspect.StoreInspector.LineSummary;
import io.baton.spi.inspect.StoreInspector.NamePage;
import io.baton.spi.inspect.StoreInspector.TreeSummary;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reads what there is, so many of each kind at most. */
final class ContentsReader {

    private static final String LOCKS = "locks";
    private static final String ELECTIONS = "elections";
    private static final String NODES = "baton.nodes";
    private static final String HISTORY = ".history";
    private static final String FLEET = ".fleet";
    private static final String USUAL = "config";

    /** Beside Baton's own, another program's may lie there. */
    private static final int MOST_TREES = 10_000;

    private final StoreInspector inspector;
    private final Set<Kind> wanted;
    private final String after;
    private final int most;
    private final Set<Kind> more = EnumSet.noneOf(Kind.class);

    /**
     * A reader of these kinds.
     *
     * @param after only names behind this one; empty for all
     * @param most no more than so many of each kind
     */
    ContentsReader(StoreInspector inspector, Set<Kind> wanted, String after, int most) {
        this.inspector = inspector;
        this.wanted = wanted;
        this.after = after.isEmpty() ? "" : Names.encode(after);
        this.most = most;
    }

    StoreContents read() throws InterruptedException {
        more.clear();
        return new StoreContents(
                wanted.contains(Kind.locks) ? locks() : List.of(),
                wanted.contains(Kind.elections) ? elections() : List.of(),
                wanted.contains(Kind.configurations) ? configurations() : List.of(),
                Set.copyOf(more));
    }

    private List<Lock> locks() throws InterruptedException {
        List<String> names = names(LOCKS, Kind.locks);
        List<LineSummary> lines = inspector.lines(below(LOCKS, names));
        List<Lock> locks = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            LineSummary line = lines.get(i);
            // ZooKeeper keeps a line for a while after the last has left it.
            if (line.length() > 0) {
                locks.add(Lock.of(Names.decode(names.get(i)), line.first(), line.length()));
            }
        }
        return locks;
    }

    private List<Election> elections() throws InterruptedException {
        List<String> names = names(ELECTIONS, Kind.elections);
        List<LineSummary> candidates = inspector.lines(below(ELECTIONS, names));
        List<LineSummary> nodes = inspector.lines(below(NODES, names));
        List<Election> elections = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            long standing = candidates.get(i).length();
            long there = nodes.get(i).length();
            if (standing + there > 0) {
                elections.add(new Election(
                        Names.decode(names.get(i)), candidates.get(i).first().map(Leader::of), standing, there));
            }
        }
        return elections;
    }

    private List<Configuration> configurations() throws InterruptedException {
        List<String> trees = inspector.names("", "", MOST_TREES).names();
        Set<String> known = Set.copyOf(trees);
        List<String> spaces = trees.stream()
                .filter(name -> name.equals(USUAL) || known.contains(name + HISTORY) || known.contains(name + FLEET))
                .filter(name -> name.compareTo(after) > 0)
                .toList();
        if (spaces.size() > most) {
            more.add(Kind.configurations);
            spaces = spaces.subList(0, most);
        }
        List<TreeSummary> values = inspector.trees(spaces);
        List<TreeSummary> histories =
                inspector.trees(spaces.stream().map(name -> name + HISTORY).toList());
        List<LineSummary> fleets =
                inspector.lines(spaces.stream().map(name -> name + FLEET).toList());
        List<Configuration> all = new ArrayList<>();
        for (int i = 0; i < spaces.size(); i++) {
            long change = histories.get(i).last().map(ContentsReader::number).orElse(0L);
            all.add(new Configuration(
                    spaces.get(i),
                    change,
                    values.get(i).records(),
                    fleets.get(i).length()));
        }
        return all;
    }

    private List<String> names(String path, Kind kind) throws InterruptedException {
        NamePage page = inspector.names(path, after, most);
        if (page.more()) {
            more.add(kind);
        }
        return page.names();
    }

    private static List<String> below(String path, List<String> names) {
        return names.stream().map(name -> path + "/" + name).toList();
    }

    private static long number(String name) {
        try {
            return Long.parseLong(name);
        } catch (NumberFormatException foreign) {
            return 0;
        }
    }
}
