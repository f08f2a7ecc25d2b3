package io.baton.zookeeper;

import io.baton.zookeeper.wire.ZkWire;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;

/** A wire that counts what is sent over it, by kind. */
final class CountingWire implements ZkWire {

    private final ZkWire wire;
    private final Map<String, Long> sent;

    private CountingWire(ZkWire wire, Map<String, Long> sent) {
        this.wire = wire;
        this.sent = sent;
    }

    /** Wires of this factory, all counted into one map, which must take several threads. */
    static Factory counting(Factory factory, ConcurrentHashMap<String, Long> sent) {
        return (timeout, events) -> new CountingWire(factory.open(timeout, events), sent);
    }

    @Override
    public void create(String path, byte[] data, CreateMode mode, Reply<Node> reply) {
        count("create");
        wire.create(path, data, mode, reply);
    }

    @Override
    public void children(String path, Reply<List<String>> reply) {
        count("children");
        wire.children(path, reply);
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        count("read");
        wire.read(path, reply);
    }

    @Override
    public void watch(String path, Reply<Node> reply) {
        count("watch");
        wire.watch(path, reply);
    }

    @Override
    public void unwatch(String path, Reply<Void> reply) {
        count("unwatch");
        wire.unwatch(path, reply);
    }

    @Override
    public void follow(String path, Reply<Void> reply) {
        count("follow");
        wire.follow(path, reply);
    }

    @Override
    public void delete(String path, Reply<Void> reply) {
        count("delete");
        wire.delete(path, reply);
    }

    @Override
    public void multi(List<ZkOp> ops, MultiReply reply) {
        count("multi");
        wire.multi(ops, reply);
    }

    @Override
    public void foreignAcl(String path, Reply<String> difference) {
        wire.foreignAcl(path, difference);
    }

    @Override
    public int maxAnswer() {
        return wire.maxAnswer();
    }

    @Override
    public void close(Consumer<Boolean> done) {
        wire.close(done);
    }

    @Override
    public void leave(List<String> beginnings, Consumer<Boolean> done) {
        wire.leave(beginnings, done);
    }

    private void count(String kind) {
        sent.merge(kind, 1L, Long::sum);
    }
}
