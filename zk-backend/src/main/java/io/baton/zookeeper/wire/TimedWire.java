package io.baton.zookeeper.wire;

import io.baton.spi.support.SendStamp;
import java.util.List;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** A wire that stamps each request, so that its answer counts as evidence that the session is alive. */
public final class TimedWire implements ZkWire {

    /** Receives the evidence. */
    public interface Witness {
        /** Returns the stamp for a request about to be sent. */
        SendStamp stamp();

        /** A server has answered a request. */
        void answered(SendStamp sent);

        /** A quorum has committed a request whose checks, if any, have passed. */
        void committed(SendStamp sent);

        /** The server has reported the session as expired. */
        void expired();

        /** Whether answers still matter. */
        boolean isOpen();
    }

    private final ZkWire wire;
    private final Witness witness;

    public TimedWire(ZkWire wire, Witness witness) {
        this.wire = wire;
        this.witness = witness;
    }

    @Override
    public void create(String path, byte[] data, CreateMode mode, Reply<Node> reply) {
        wire.create(path, data, mode, timed(reply, true));
    }

    @Override
    public void children(String path, Reply<List<String>> reply) {
        wire.children(path, timed(reply, false));
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        wire.read(path, timed(reply, false));
    }

    @Override
    public void watch(String path, Reply<Node> reply) {
        wire.watch(path, timed(reply, false));
    }

    @Override
    public void unwatch(String path, Reply<Void> reply) {
        wire.unwatch(path, timed(reply, false));
    }

    @Override
    public void follow(String path, Reply<Void> reply) {
        wire.follow(path, timed(reply, false));
    }

    @Override
    public void delete(String path, Reply<Void> reply) {
        wire.delete(path, timed(reply, false));
    }

    @Override
    public void multi(List<ZkOp> ops, MultiReply reply) {
        SendStamp sent = witness.stamp();
        wire.multi(ops, (code, failedAt, zxid) -> {
            if (witness.isOpen()) {
                Code plain = interpret(code, sent, true);
                if (witness.isOpen()) {
                    reply.accept(plain, failedAt, zxid);
                }
            }
        });
    }

    @Override
    public void foreignAcl(String path, Reply<String> difference) {
        wire.foreignAcl(path, timed(difference, false));
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

    private <T> Reply<T> timed(Reply<T> reply, boolean commit) {
        SendStamp sent = witness.stamp();
        return (code, value) -> {
            if (witness.isOpen()) {
                Code plain = interpret(code, sent, commit);
                if (witness.isOpen()) {
                    reply.accept(plain, value);
                }
            }
        };
    }

    private Code interpret(Code code, SendStamp sent, boolean commit) {
        switch (code) {
            case OK -> {
                if (commit) {
                    witness.committed(sent);
                }
                witness.answered(sent);
                return code;
            }
            case SESSIONEXPIRED -> {
                witness.expired();
                return code;
            }
            // The server that sent this closes the connection. The request's outcome is equally unknown.
            case CONNECTIONLOSS, OPERATIONTIMEOUT, SESSIONMOVED -> {
                return Code.CONNECTIONLOSS;
            }
            default -> {
                witness.answered(sent);
                return code;
            }
        }
    }
}
