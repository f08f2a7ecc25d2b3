package io.baton.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.testkit.sim.Simulation;
import io.baton.zookeeper.SimTree.Znode;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Somebody who writes records by whatever tool, one or several at once, deletes and recreates them, and their root. */
final class SimWriter {

    private static final long MILLI = 1_000_000;
    private static final int NAMES = 6;

    private final Simulation sim;
    private final SimZooKeeper zk;
    private final String root;
    private final SplittableRandom chance;
    private final long mostBetween;
    private boolean stopped;
    private int number;

    SimWriter(Simulation sim, SimZooKeeper zk, String root) {
        this.sim = sim;
        this.zk = zk;
        this.root = root;
        this.chance = sim.chance();
        this.mostBetween = 10L * MILLI << chance.nextInt(7);
    }

    void start() {
        sim.inBackgroundAt(sim.now() + chance.nextLong(mostBetween) + 1, () -> {
            if (!stopped) {
                act();
                start();
            }
        });
    }

    void stop() {
        stopped = true;
    }

    /** Deletes everything, and the empty root behind it. */
    void end() {
        Znode node = zk.committed().find(root);
        if (node != null) {
            send(node.children().stream()
                    .sorted()
                    .map(name -> (ZkOp) new ZkOp.Delete(path(name), -1))
                    .toList());
            sim.after(Duration.ofMillis(200), () -> send(List.of(new ZkOp.Delete(root, -1))));
        }
    }

    /** Writes more than can be read, for a while. */
    void storm(long nanos) {
        zk.counts.add("storms");
        long end = sim.now() + nanos;
        stormUntil(end);
    }

    private void stormUntil(long end) {
        if (sim.now() < end && !stopped) {
            write(List.of(put(any())));
            sim.inBackgroundAt(sim.now() + chance.nextLong(MILLI / 4) + 1, () -> stormUntil(end));
        }
    }

    private void act() {
        switch (chance.nextInt(12)) {
            case 0, 1, 2 -> write(List.of(put(any())));
            case 3, 4, 5 -> severalAtOnce();
            case 6 -> burst(2 + chance.nextInt(7));
            case 7 -> delete(any());
            case 8 -> recreate(any());
            case 9 -> stranger();
            case 10 -> write(List.of(new ZkOp.Write(root, new byte[0], -1)));
            default -> {
                if (chance.nextInt(8) == 0) {
                    deleteRoot();
                }
            }
        }
    }

    private void burst(int times) {
        write(List.of(put(any())));
        if (times > 1) {
            sim.inBackgroundAt(sim.now() + chance.nextLong(MILLI), () -> burst(times - 1));
        }
    }

    private void severalAtOnce() {
        zk.counts.add("transactions over several records");
        var names = new TreeSet<String>();
        for (int i = chance.nextInt(2, 5); i > 0; i--) {
            names.add(any());
        }
        var ops = new ArrayList<ZkOp>();
        for (String name : names) {
            ops.add(there(name) && chance.nextInt(3) == 0 ? new ZkOp.Delete(path(name), -1) : put(name));
        }
        write(ops);
    }

    private void delete(String name) {
        var ops = new ArrayList<ZkOp>(List.of(new ZkOp.Delete(path(name), -1)));
        if (chance.nextBoolean()) {
            ops.add(new ZkOp.Write(root, new byte[0], -1)); // as Baton does
        }
        write(ops);
    }

    private void recreate(String name) {
        zk.counts.add("records recreated");
        var delete = new ZkOp.Delete(path(name), -1);
        var create = new ZkOp.Create(path(name), text());
        if (chance.nextBoolean()) {
            write(List.of(delete, create));
        } else {
            write(List.of(delete));
            long pause = chance.nextLong(MILLI << chance.nextInt(10));
            sim.inBackgroundAt(sim.now() + pause, () -> write(List.of(create)));
        }
    }

    private void stranger() {
        String path = path(RecordTruth.STRANGER);
        boolean there = zk.committed().find(path) != null;
        write(List.of(there ? new ZkOp.Delete(path, -1) : new ZkOp.Create(path, text())));
    }

    private void deleteRoot() {
        Znode node = zk.committed().find(root);
        if (node != null) {
            zk.counts.add("roots deleted");
            var ops = new ArrayList<ZkOp>();
            node.children().stream().sorted().forEach(name -> ops.add(new ZkOp.Delete(path(name), -1)));
            ops.add(new ZkOp.Delete(root, -1));
            int again = chance.nextInt(3);
            if (again == 0) {
                ops.add(new ZkOp.Create(root, new byte[0]));
                ops.add(new ZkOp.Create(path(any()), text()));
            } else if (again == 1) {
                sim.inBackgroundAt(sim.now() + chance.nextLong(2 * MILLI), () -> write(List.of(put(any()))));
            }
            send(ops);
        }
    }

    /** Writes, and makes the root if there is none. */
    private void write(List<ZkOp> ops) {
        if (zk.committed().find(root) == null) {
            send(List.of(new ZkOp.Create(root, new byte[0])));
        }
        send(ops);
    }

    private void send(List<ZkOp> ops) {
        if (zk.ready()) {
            zk.reign().byHand(new SimRequest.Multi(ops), () -> zk.counts.add("writes by hand"));
        }
    }

    private ZkOp put(String name) {
        return there(name) ? new ZkOp.Write(path(name), text(), -1) : new ZkOp.Create(path(name), text());
    }

    private boolean there(String name) {
        return zk.committed().find(path(name)) != null;
    }

    private String any() {
        return "k" + chance.nextInt(NAMES);
    }

    private String path(String name) {
        return root + "/" + name;
    }

    private byte[] text() {
        return ("v" + number++).getBytes(UTF_8);
    }
}
