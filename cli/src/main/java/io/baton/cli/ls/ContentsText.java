package io.baton.cli.ls;

import io.baton.QueueEntry;
import io.baton.cli.ContenderFormat;
import io.baton.cli.Grid;
import io.baton.cli.Text;
import io.baton.cli.ls.StoreContents.Configuration;
import io.baton.cli.ls.StoreContents.Election;
import io.baton.cli.ls.StoreContents.Kind;
import io.baton.cli.ls.StoreContents.Lock;
import io.baton.cli.ls.StoreContents.ReadWriteLock;
import io.baton.cli.ls.StoreContents.Semaphore;
import io.baton.election.Leader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The contents of a store for people: a table for each kind that is present. */
final class ContentsText {

    private static final int WIDEST = 40;

    private ContentsText() {}

    static List<String> lines(String uri, StoreContents contents) {
        List<String> lines = new ArrayList<>();
        table(lines, contents, Kind.locks, List.of("LOCK", "HOLDER", "WAITING", "TOKEN"), rows(contents.locks()));
        table(
                lines,
                contents,
                Kind.rwlocks,
                List.of("READ/WRITE LOCK", "HOLDER", "CLAIM", "CONTENDERS", "TOKEN"),
                contents.readWriteLocks().stream().map(ContentsText::row).toList());
        table(
                lines,
                contents,
                Kind.semaphores,
                List.of("SEMAPHORE", "HOLDERS", "WAITING"),
                contents.semaphores().stream().map(ContentsText::row).toList());
        table(
                lines,
                contents,
                Kind.elections,
                List.of("ELECTION", "LEADER", "CANDIDATES", "NODES", "TERM"),
                contents.elections().stream().map(ContentsText::row).toList());
        table(
                lines,
                contents,
                Kind.configurations,
                List.of("CONFIGURATION", "CHANGE", "KEYS", "INSTANCES"),
                contents.configurations().stream().map(ContentsText::row).toList());
        return lines.isEmpty() ? List.of("nothing below " + Text.line(uri)) : lines;
    }

    private static void table(
            List<String> lines, StoreContents contents, Kind kind, List<String> head, List<List<String>> rows) {
        String last = contents.more().get(kind);
        if (rows.isEmpty() && last == null) {
            return;
        }
        if (!lines.isEmpty()) {
            lines.add("");
        }
        List<List<String>> all = new ArrayList<>(List.of(head));
        all.addAll(rows);
        lines.addAll(Grid.lines(all));
        if (last != null) {
            lines.add("  ... and more " + kind + ": baton ls " + kind + " --after '" + Text.visible(last)
                    + "', or with a larger --limit");
        }
    }

    private static List<List<String>> rows(List<Lock> locks) {
        return locks.stream()
                .map(lock -> List.of(
                        cell(lock.name()), holder(lock.first()), Long.toString(lock.length() - 1), token(lock.first())))
                .toList();
    }

    private static String holder(Optional<QueueEntry> first) {
        return first.map(entry -> cell(ContenderFormat.text(entry))).orElse(ContenderFormat.FOREIGN);
    }

    private static String token(Optional<QueueEntry> first) {
        return first.map(entry -> Long.toString(entry.token())).orElse("-");
    }

    private static List<String> row(ReadWriteLock lock) {
        return List.of(
                cell(lock.name()),
                holder(lock.first()),
                lock.first().map(entry -> ContenderFormat.claim(entry.claim())).orElse("-"),
                Long.toString(lock.contenders()),
                token(lock.first()));
    }

    private static List<String> row(Semaphore semaphore) {
        return List.of(cell(semaphore.name()), Long.toString(semaphore.holders()), Long.toString(semaphore.waiting()));
    }

    private static List<String> row(Election election) {
        return List.of(
                cell(election.name()),
                leader(election.leader()),
                Long.toString(election.candidates()),
                election.nodes() == 0 ? "-" : Long.toString(election.nodes()),
                election.leader().map(leader -> Long.toString(leader.term())).orElse("-"));
    }

    private static String leader(Optional<Leader> leader) {
        return leader.map(who -> who.id().isBlank()
                        ? ContenderFormat.FOREIGN
                        : cell(who.id() + (who.address().isEmpty() ? "" : " at " + who.address())))
                .orElse("-");
    }

    private static List<String> row(Configuration configuration) {
        return List.of(
                cell(configuration.space()),
                configuration.change() == 0 ? "-" : Long.toString(configuration.change()),
                Long.toString(configuration.keys()),
                Long.toString(configuration.instances()));
    }

    private static String cell(String text) {
        return Grid.cell(text, WIDEST);
    }
}
