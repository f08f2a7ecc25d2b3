package io.baton.zookeeper;

import io.baton.spi.Claim;
import io.baton.tck.sim.lock.LockTruth;
import io.baton.zookeeper.SimTree.Znode;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a simulated ensemble has committed of a line and a record. */
final class ZkTruth implements LockTruth {

    private static final Pattern PERMITS = Pattern.compile("-permits-([0-9]+)-[0-9-]+$");

    private final SimZooKeeper zk;
    private final String line;
    private final Naming naming;
    private final String record;
    private @Nullable Znode listed;
    private List<Entry> entries = List.of();

    /** {@code naming} says what the entries at the path {@code line} claim. */
    ZkTruth(SimZooKeeper zk, String line, Naming naming, String record) {
        this.zk = zk;
        this.line = line;
        this.naming = naming;
        this.record = record;
    }

    @Override
    public long version() {
        return zk.commits();
    }

    @Override
    public List<Entry> line() {
        Znode node = zk.committed().find(line);
        // Each child that comes or goes makes another node of the line, and what is told of a child never changes.
        if (node != listed) {
            entries = node == null ? List.of() : entriesOf(node);
            listed = node;
        }
        return entries;
    }

    private List<Entry> entriesOf(Znode node) {
        return node.children().stream()
                .map(name -> {
                    Znode child = zk.committed().find(path(name));
                    return new Entry(name, child.czxid(), child.owner());
                })
                .sorted(Comparator.comparingLong(Entry::token))
                .toList();
    }

    /** By what other programs see of an entry, without the code that is tested. */
    @Override
    public Claim claim(Entry entry) {
        String name = entry.name();
        if (name.contains("__READ__")) {
            return Claim.SHARED;
        }
        if (name.contains("__WRIT__")) {
            return downgraded(name) ? Claim.SHARED : Claim.EXCLUSIVE;
        }
        if (name.contains("-permits-")) {
            Matcher permits = PERMITS.matcher(name);
            return permits.find() ? Claim.permits(Integer.parseInt(permits.group(1))) : Claim.EXCLUSIVE;
        }
        return Claim.EXCLUSIVE;
    }

    private boolean downgraded(String name) {
        Znode node = zk.committed().find(path(name));
        return node != null && new String(node.data(), StandardCharsets.UTF_8).endsWith("\ndowngraded=true\n");
    }

    @Override
    public boolean stands(Entry entry) {
        Znode node = zk.committed().find(path(entry.name()));
        return node != null && node.czxid() == entry.token();
    }

    @Override
    public boolean alive(long session) {
        return zk.alive(session);
    }

    @Override
    public long unrefusedNanos() {
        return zk.refusals().unrefusedNanos(line);
    }

    /** Where the line is. */
    String path() {
        return line;
    }

    @Override
    public @Nullable Written record() {
        Znode node = zk.committed().find(record);
        return node == null ? null : new Written(new String(node.data(), StandardCharsets.UTF_8), node.mzxid());
    }

    String path(String name) {
        return line + "/" + name;
    }

    /** Whether the number in this name does not tell its place. */
    boolean unnumbered(String name) {
        try {
            EntryName entry = naming.parse(name);
            return entry == null || !entry.numbered();
        } catch (ForeignEntryException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
