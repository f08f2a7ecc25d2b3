package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.etcd.SimStore.Command;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Somebody who writes records by whatever tool, one or several at once, deletes and recreates them. */
final class SimWriter {

    private static final long MILLI = 1_000_000;
    private static final int NAMES = 6;

    private final Simulation sim;
    private final SimEtcd etcd;
    private final String prefix;
    private final SplittableRandom chance;
    private final long mostBetween;
    private boolean stopped;
    private int number;
    private long writes;

    /** So many more records than are written all the time are there from the beginning, and rarely written. */
    SimWriter(Simulation sim, SimEtcd etcd, String prefix, int more) {
        this.sim = sim;
        this.etcd = etcd;
        this.prefix = prefix;
        this.chance = sim.chance();
        this.mostBetween = 40L * MILLI << chance.nextInt(5);
        for (int i = 0; i < more; i++) {
            write(List.of(put("k" + (100 + i))));
        }
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

    long writes() {
        return writes;
    }

    /** Something that a follower has to be told of. */
    void last() {
        write(List.of(put(any())));
    }

    private void act() {
        switch (chance.nextInt(12)) {
            case 0, 1 -> write(List.of(put(any())));
            case 2, 3, 4, 5 -> severalAtOnce();
            case 6 -> burst(2 + chance.nextInt(7));
            case 7 -> write(List.of(new Delete(prefix + any())));
            case 8, 9 -> recreate(any());
            case 10 -> write(List.of(put("no%name")));
            default -> write(List.of(put("k" + (100 + chance.nextInt(40)))));
        }
    }

    private void burst(int times) {
        write(List.of(put(any())));
        if (times > 1) {
            sim.inBackgroundAt(sim.now() + chance.nextLong(MILLI), () -> burst(times - 1));
        }
    }

    private void severalAtOnce() {
        etcd.counts.add("transactions over several records");
        var names = new TreeSet<String>();
        for (int i = chance.nextInt(2, 5); i > 0; i--) {
            names.add(any());
        }
        var requests = new ArrayList<Request>();
        for (String name : names) {
            requests.add(chance.nextInt(3) == 0 ? new Delete(prefix + name) : put(name));
        }
        write(requests);
    }

    /** With the same value, of which only the revision tells that it is another one. */
    private void recreate(String name) {
        etcd.counts.add("records recreated");
        var same = new Put(prefix + name, "same".getBytes(UTF_8), 0);
        write(List.of(new Delete(prefix + name)));
        sim.inBackgroundAt(sim.now() + chance.nextLong(MILLI << chance.nextInt(10)), () -> write(List.of(same)));
    }

    private void write(List<Request> requests) {
        if (etcd.ready()) {
            etcd.byHand(new Command.Apply(new Txn(List.of(), requests, List.of())));
            etcd.counts.add("writes by hand");
            writes++;
        }
    }

    private Put put(String name) {
        return new Put(prefix + name, ("v" + number++).getBytes(UTF_8), 0);
    }

    private String any() {
        return "k" + chance.nextInt(NAMES);
    }
}
