package io.baton.zookeeper;

import io.baton.spi.Names;
import io.baton.zookeeper.SimTree.Znode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Every state that a tree of records has been in, as the simulated ensemble has committed it. */
final class RecordTruth {

    /** Not the name of a record. */
    static final String STRANGER = "no%name";

    private final SimZooKeeper zk;
    private final String root;
    private final List<State> states = new ArrayList<>();

    /**
     * One of them.
     *
     * @param history when the root was made
     * @param revision when something in it, or its root, was changed last
     * @param values what each record is, and when it was written
     */
    record State(String history, long revision, Map<String, String> values) {}

    RecordTruth(SimZooKeeper zk, String root) {
        this.zk = zk;
        this.root = root;
        note();
        zk.afterEachCommit(this::note);
    }

    /** All of them, in their order. */
    List<State> states() {
        return states;
    }

    State last() {
        return states.get(states.size() - 1);
    }

    static String value(String text, long written) {
        return text + "@" + Long.toHexString(written);
    }

    private void note() {
        State now = now();
        if (states.isEmpty() || !now.equals(last())) {
            states.add(now);
        }
    }

    private State now() {
        Znode node = zk.committed().find(root);
        if (node == null) {
            return new State("", 0, Map.of());
        }
        long revision = Math.max(node.mzxid(), node.pzxid());
        var values = new TreeMap<String, String>();
        for (String name : node.children()) {
            if (!name.equals(STRANGER)) {
                Znode record = zk.committed().find(root + "/" + name);
                revision = Math.max(revision, record.mzxid());
                values.put(
                        Names.decode(name), value(new String(record.data(), StandardCharsets.UTF_8), record.mzxid()));
            }
        }
        return new State(Long.toHexString(node.czxid()), revision, values);
    }
}
