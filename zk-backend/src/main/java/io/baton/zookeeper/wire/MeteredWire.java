package io.baton.zookeeper.wire;

import io.baton.Telemetry.Request.Kind;
import io.baton.Telemetry.Request.Outcome;
import io.baton.spi.Loop;
import io.baton.spi.RequestListener;
import io.baton.spi.SessionListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** A wire that reports the outcome and the duration of each request. It is used only with a request listener. */
public final class MeteredWire implements ZkWire {

    private final ZkWire wire;
    private final Loop loop;
    private final RequestListener to;

    /** Returns a factory whose wires are metered if the listener has a request listener. */
    public static Factory ifWanted(Factory plain, Loop loop, SessionListener listener) {
        return listener.requestListener()
                .<Factory>map(to -> new Factory() {
                    @Override
                    public ZkWire open(Duration timeout, Events events) {
                        return new MeteredWire(plain.open(timeout, events), loop, to);
                    }

                    @Override
                    public boolean shared() {
                        return plain.shared();
                    }
                })
                .orElse(plain);
    }

    private MeteredWire(ZkWire wire, Loop loop, RequestListener to) {
        this.wire = wire;
        this.loop = loop;
        this.to = to;
    }

    @Override
    public void create(String path, byte[] data, CreateMode mode, Reply<Node> reply) {
        // Only the entries of lines are ephemeral.
        wire.create(path, data, mode, metered(mode.isEphemeral() ? Kind.JOIN : Kind.CREATE, reply));
    }

    @Override
    public void children(String path, Reply<List<String>> reply) {
        wire.children(path, metered(Kind.LIST, reply));
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        wire.read(path, metered(Kind.READ, reply));
    }

    @Override
    public void watch(String path, Reply<Node> reply) {
        wire.watch(path, metered(Kind.WATCH, reply));
    }

    @Override
    public void unwatch(String path, Reply<Void> reply) {
        wire.unwatch(path, metered(Kind.WATCH, reply));
    }

    @Override
    public void follow(String path, Reply<Void> reply) {
        wire.follow(path, metered(Kind.WATCH, reply));
    }

    @Override
    public void delete(String path, Reply<Void> reply) {
        wire.delete(path, metered(Kind.DELETE, reply));
    }

    @Override
    public void multi(List<ZkOp> ops, MultiReply reply) {
        boolean checksOnly = ops.stream().allMatch(ZkOp.Check.class::isInstance);
        Kind kind = checksOnly ? Kind.COMMIT : Kind.TRANSACT;
        long sent = loop.nanoTime();
        wire.multi(ops, (code, failedAt, zxid) -> {
            answered(kind, code, sent);
            reply.accept(code, failedAt, zxid);
        });
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
    public void foreignAcl(String path, Reply<String> difference) {
        wire.foreignAcl(path, metered(Kind.READ, difference));
    }

    @Override
    public void leave(List<String> beginnings, Consumer<Boolean> done) {
        wire.leave(beginnings, done);
    }

    private <T> Reply<T> metered(Kind kind, Reply<T> reply) {
        long sent = loop.nanoTime();
        return (code, value) -> {
            answered(kind, code, sent);
            reply.accept(code, value);
        };
    }

    private void answered(Kind kind, Code code, long sent) {
        to.answered(kind, outcome(code), loop.nanoTime() - sent);
    }

    private static Outcome outcome(Code code) {
        return switch (code) {
            case OK -> Outcome.OK;
            case CONNECTIONLOSS, OPERATIONTIMEOUT, SESSIONMOVED -> Outcome.UNANSWERED;
            case NONODE, NODEEXISTS, BADVERSION, NOTEMPTY, NOWATCHER -> Outcome.REFUSED;
            default -> Outcome.FAILED;
        };
    }
}
