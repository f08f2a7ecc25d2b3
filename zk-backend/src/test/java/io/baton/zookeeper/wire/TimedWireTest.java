package io.baton.zookeeper.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.support.SendStamp;
import io.baton.zookeeper.wire.ZkWire.MultiReply;
import io.baton.zookeeper.wire.ZkWire.Reply;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answer counts as what: a quorum's commit, an answer of one server, the end, or nothing. */
class TimedWireTest implements TimedWire.Witness {

    private static final byte[] DATA = {};

    private final List<String> noted = new ArrayList<>();
    private final List<String> replies = new ArrayList<>();
    private final Answering below = new Answering();
    private final TimedWire wire = new TimedWire(below, this);
    private boolean open = true;
    private boolean endsWithTheAnswer;
    private long stamps;

    private final Map<String, Runnable> requests = Map.of(
            "children", () -> wire.children("/a", reply()),
            "read", () -> wire.read("/a", reply()),
            "watch", () -> wire.watch("/a", reply()),
            "unwatch", () -> wire.unwatch("/a", reply()),
            "follow", () -> wire.follow("/a", reply()),
            "delete", () -> wire.delete("/a", reply()),
            "foreignAcl", () -> wire.foreignAcl("/a", reply()),
            "create", () -> wire.create("/a", DATA, CreateMode.EPHEMERAL_SEQUENTIAL, reply()),
            "multi",
                    () -> wire.multi(
                            List.of(new ZkOp.Check("/a", -1)), (code, at, zxid) -> replies.add(code + " " + at)));

    /** A server without a quorum lists and reads as before; and a delete of what is not there is no commit. */
    @ParameterizedTest
    @ValueSource(strings = {"children", "read", "watch", "unwatch", "follow", "delete", "foreignAcl"})
    void answer_toWhatNeedNoQuorum_countsAsAnsweredOnly(String request) {
        ask(request, Code.OK);

        assertThat(below.asked).containsExactly(request);
        assertThat(noted).containsExactly("answered 1");
        assertThat(replies).containsExactly("OK");
    }

    @Test
    void answer_toACreate_countsAsCommittedAndAnswered() {
        ask("create", Code.OK);

        assertThat(noted).containsExactly("committed 1", "answered 1");
        assertThat(replies).containsExactly("OK");
    }

    @Test
    void answer_toAMulti_countsAsCommittedAndAnswered() {
        ask("multi", Code.OK);

        assertThat(noted).containsExactly("committed 1", "answered 1");
        assertThat(replies).containsExactly("OK 3");
    }

    /** What was refused was not committed; but a server has answered. */
    @ParameterizedTest
    @ValueSource(strings = {"create", "multi"})
    void refusal_ofWhatNeedsAQuorum_countsAsAnsweredOnly(String request) {
        ask(request, Code.NODEEXISTS);

        assertThat(noted).containsExactly("answered 1");
        assertThat(replies).hasSize(1).first().asString().startsWith("NODEEXISTS");
    }

    @Test
    void stamp_isTakenBeforeTheRequestIsSent() {
        below.asOf = () -> stamps = 40;
        ask("read", Code.OK);
        stamps = 1;
        ask("multi", Code.OK);

        assertThat(noted).containsExactly("answered 1", "committed 2", "answered 2");
    }

    @ParameterizedTest
    @EnumSource(
            value = Code.class,
            names = {"CONNECTIONLOSS", "OPERATIONTIMEOUT", "SESSIONMOVED"})
    void noAnswer_isALostConnectionAndCountsAsNothing(Code code) {
        ask("create", code);
        ask("multi", code);

        assertThat(noted).isEmpty();
        assertThat(replies).containsExactly("CONNECTIONLOSS", "CONNECTIONLOSS 3");
    }

    @Test
    void expired_isToldAndCountsAsNothing() {
        ask("read", Code.SESSIONEXPIRED);

        assertThat(noted).containsExactly("expired");
        assertThat(replies).containsExactly("SESSIONEXPIRED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "multi"})
    void answer_afterTheEnd_isDropped(String request) {
        open = false;
        ask(request, Code.OK);

        assertThat(noted).isEmpty();
        assertThat(replies).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "multi"})
    void answer_thatIsTheEnd_isNotToldFurther(String request) {
        endsWithTheAnswer = true;
        ask(request, Code.SESSIONEXPIRED);

        assertThat(noted).containsExactly("expired");
        assertThat(replies).isEmpty();
    }

    @Test
    void theRest_goesThrough() {
        below.maxAnswer = 4_711;
        wire.close(heard -> replies.add("closed " + heard));
        wire.leave(List.of("/a"), heard -> replies.add("left " + heard));

        assertThat(wire.maxAnswer()).isEqualTo(4_711);
        assertThat(replies).containsExactly("closed true", "left true");
        assertThat(noted).isEmpty();
    }

    private void ask(String request, Code code) {
        below.code = code;
        Runnable asking = requests.get(request);
        assertThat(asking).as(request).isNotNull();
        asking.run();
    }

    private <T> Reply<T> reply() {
        return (code, value) -> replies.add(code.toString());
    }

    @Override
    public SendStamp stamp() {
        stamps++;
        return new SendStamp(stamps, 0, 0);
    }

    @Override
    public void answered(SendStamp sent) {
        noted.add("answered " + sent.nanos());
    }

    @Override
    public void committed(SendStamp sent) {
        noted.add("committed " + sent.nanos());
    }

    @Override
    public void expired() {
        noted.add("expired");
        open &= !endsWithTheAnswer;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    /** Answers each request at once. */
    private static final class Answering implements ZkWire {

        private final List<String> asked = new ArrayList<>();
        private Code code = Code.OK;
        private int maxAnswer;
        private Runnable asOf = () -> {};

        private <T> void answer(String request, BiConsumer<Code, T> reply) {
            asked.add(request);
            asOf.run();
            reply.accept(code, null);
        }

        @Override
        public void create(String path, byte[] data, CreateMode mode, Reply<Node> reply) {
            answer("create", reply::accept);
        }

        @Override
        public void children(String path, Reply<List<String>> reply) {
            answer("children", reply::accept);
        }

        @Override
        public void read(String path, Reply<Node> reply) {
            answer("read", reply::accept);
        }

        @Override
        public void watch(String path, Reply<Node> reply) {
            answer("watch", reply::accept);
        }

        @Override
        public void unwatch(String path, Reply<Void> reply) {
            answer("unwatch", reply::accept);
        }

        @Override
        public void follow(String path, Reply<Void> reply) {
            answer("follow", reply::accept);
        }

        @Override
        public void delete(String path, Reply<Void> reply) {
            answer("delete", reply::accept);
        }

        @Override
        public void multi(List<ZkOp> ops, MultiReply reply) {
            answer("multi", (how, nothing) -> reply.accept(how, 3, 7));
        }

        @Override
        public void foreignAcl(String path, Reply<String> difference) {
            answer("foreignAcl", difference::accept);
        }

        @Override
        public int maxAnswer() {
            return maxAnswer;
        }

        @Override
        public void close(Consumer<Boolean> done) {
            done.accept(true);
        }

        @Override
        public void leave(List<String> beginnings, Consumer<Boolean> done) {
            done.accept(true);
        }
    }
}
