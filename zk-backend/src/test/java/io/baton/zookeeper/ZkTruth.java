package io.baton.zookeeper;

import io.baton.testkit.sim.lock.LockTruth;
import io.baton.zookeeper.SimTree.Znode;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a simulated ensemble has committed of a line and a record. */
final class ZkTruth implements LockTruth {

    private final SimZooKeeper zk;
    private final String line;
    private final String record;

    ZkTruth(SimZooKeeper zk, String line, String record) {
        this.zk = zk;
        this.line = line;
        this.record = record;
    }

    @Override
    public long version() {
        return zk.commits();
    }

    @Override
    public List<Entry> line() {
        Znode node = zk.committed().find(line);
        return node == null
                ? List.of()
                : node.children().stream()
                        .map(name -> zk.committed().find(path(name)))
                        .map(entry ->
                                new Entry(entry.path().substring(line.length() + 1), entry.czxid(), entry.owner()))
                        .sorted(Comparator.comparingLong(Entry::token))
                        .toList();
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
    public @Nullable Written record() {
        Znode node = zk.committed().find(record);
        return node == null ? null : new Written(new String(node.data(), StandardCharsets.UTF_8), node.mzxid());
    }

    String path(String name) {
        return line + "/" + name;
    }

    /** Whether the number in this name does not tell its place. */
    static boolean unnumbered(String name) {
        try {
            EntryName entry = Naming.CURATOR.parse(name);
            return entry == null || !entry.numbered();
        } catch (ForeignEntryException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
