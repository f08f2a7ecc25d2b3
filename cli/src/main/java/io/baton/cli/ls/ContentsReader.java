package io.baton.cli.ls;

import io.baton.cli.ls.StoreContents.Configuration;
import io.baton.cli.ls.StoreContents.Election;
import io.baton.cli.ls.StoreContents.Kind;
import io.baton.cli.ls.StoreContents.Lock;
import io.baton.cli.ls.StoreContents.ReadWriteLock;
import io.baton.cli.ls.StoreContents.Semaphore;
import io.baton.election.Leader;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Names;
import io.baton.spi.inspect.StoreInspector;
import io.baton.spi.inspect.StoreInspector.LineSummary;
import io.baton.spi.inspect.StoreInspector.NamePage;
import io.baton.spi.inspect.StoreInspector.TreeSummary;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what there is, so many of each kind at most. */
final class ContentsReader {

    private static final String LOCKS = "locks";
    private static final String READ_WRITE_LOCKS = "rwlocks";
    private static final String SEMAPHORES = "semaphores";
    private static final String PERMITS = "baton.permits";
    private static final String ELECTIONS = "elections";
    private static final String NODES = "baton.nodes";
    private static final String HISTORY = ".history";
    private static final String FLEET = ".fleet";
    private static final String USUAL = "config";

    private static final int PAGE = 10_000;

    private final StoreInspector inspector;
    private final Set<Kind> wanted;
    private final String after;
    private final int most;
    private final Map<Kind, String> more = new EnumMap<>(Kind.class);

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
                wanted.contains(Kind.rwlocks) ? readWriteLocks() : List.of(),
                wanted.contains(Kind.semaphores) ? semaphores() : List.of(),
                wanted.contains(Kind.elections) ? elections() : List.of(),
                wanted.contains(Kind.configurations) ? configurations() : List.of(),
                Map.copyOf(more));
    }

    private List<Lock> locks() throws InterruptedException {
        return inUse(LOCKS, Kind.locks, Line.Kind.MUTEX, Lock::of);
    }

    private List<ReadWriteLock> readWriteLocks() throws InterruptedException {
        return inUse(READ_WRITE_LOCKS, Kind.rwlocks, Line.Kind.READ_WRITE, ReadWriteLock::of);
    }

    /** Describes a line by its name, its first entry and its length. */
    @FunctionalInterface
    private interface Described<T> {
        T of(String name, Optional<Entry> first, long length);
    }

    /** Describes the lines of this tree that are not empty. */
    private <T> List<T> inUse(String tree, Kind kind, Line.Kind lines, Described<T> as) throws InterruptedException {
        List<String> names = names(tree, kind);
        List<LineSummary> read = inspector.lines(lines, below(tree, names));
        List<T> described = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            LineSummary line = read.get(i);
            // ZooKeeper keeps a line for a while after the last has left it.
            if (line.length() > 0) {
                described.add(as.of(Names.decode(names.get(i)), line.first(), line.length()));
            }
        }
        return described;
    }

    /** The first of a queue stands among the permits, too, so these name each semaphore in use. */
    private List<Semaphore> semaphores() throws InterruptedException {
        List<String> names = names(PERMITS, Kind.semaphores);
        List<LineSummary> queues = inspector.lines(Line.Kind.MUTEX, below(SEMAPHORES, names));
        List<LineSummary> permits = inspector.lines(Line.Kind.PERMITS, below(PERMITS, names));
        List<Semaphore> semaphores = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            long waiting = queues.get(i).length();
            long granted = permits.get(i).length();
            if (waiting + granted > 0) {
                semaphores.add(Semaphore.of(Names.decode(names.get(i)), waiting, granted));
            }
        }
        return semaphores;
    }

    private List<Election> elections() throws InterruptedException {
        List<String> names = names(ELECTIONS, Kind.elections);
        List<LineSummary> candidates = inspector.lines(Line.Kind.MUTEX, below(ELECTIONS, names));
        List<LineSummary> nodes = inspector.lines(Line.Kind.MUTEX, below(NODES, names));
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
        List<String> spaces = spaces();
        if (spaces.size() > most) {
            spaces = spaces.subList(0, most);
            more.put(Kind.configurations, last(spaces));
        }
        List<TreeSummary> values = inspector.trees(spaces);
        List<TreeSummary> histories =
                inspector.trees(spaces.stream().map(name -> name + HISTORY).toList());
        List<LineSummary> fleets = inspector.lines(
                Line.Kind.MUTEX, spaces.stream().map(name -> name + FLEET).toList());
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

    /** The configurations behind {@link #after}; other programs may keep much beside them. */
    private List<String> spaces() throws InterruptedException {
        NamePage page = inspector.names("", "", PAGE);
        List<String> names = new ArrayList<>(page.names());
        while (page.more()) {
            page = inspector.names("", last(names), PAGE);
            names.addAll(page.names());
        }
        Set<String> known = Set.copyOf(names);
        return names.stream()
                .filter(name -> name.equals(USUAL) || known.contains(name + HISTORY) || known.contains(name + FLEET))
                // Names come in the order of the paths below them.
                .filter(name -> after.isEmpty() || (name + "/").compareTo(after + "/") > 0)
                .toList();
    }

    /** Names that Baton can have given, so that each is good for {@code --after}. */
    private List<String> names(String path, Kind kind) throws InterruptedException {
        NamePage page = inspector.names(path, after, most);
        List<String> names = own(page);
        while (page.more() && names.size() < most) {
            page = inspector.names(path, last(page.names()), most - names.size());
            names.addAll(own(page));
        }
        if (page.more()) {
            more.put(kind, Names.decode(last(names)));
        }
        return names;
    }

    private static List<String> own(NamePage page) {
        return new ArrayList<>(page.names().stream().filter(Names::isEncoded).toList());
    }

    private static String last(List<String> names) {
        return names.get(names.size() - 1);
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
