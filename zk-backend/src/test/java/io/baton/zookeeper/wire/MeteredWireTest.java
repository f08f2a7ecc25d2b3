package io.baton.zookeeper.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.spi.RequestListener;
import io.baton.spi.SessionListener;
import io.baton.zookeeper.ScriptedWire;
import io.baton.zookeeper.wire.ZkWire.ZkOp.Check;
import io.baton.zookeeper.wire.ZkWire.ZkOp.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

/** What is told of requests, reply by reply. */
class MeteredWireTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(4);
    private static final byte[] EMPTY = {};

    private final ScriptedWire scripted = new ScriptedWire();
    private final List<String> told = new ArrayList<>();
    private final List<String> replies = new ArrayList<>();

    private ZkWire metered() {
        RequestListener to = (kind, outcome, tookNanos) -> told.add(
                kind + " " + outcome + " " + Duration.ofNanos(tookNanos).toMillis());
        return MeteredWire.ifWanted((timeout, events) -> scripted, scripted, new Listener(Optional.of(to)))
                .open(TIMEOUT, null);
    }

    private <T> ZkWire.Reply<T> reply() {
        return (code, value) -> replies.add(code + " after " + told.size());
    }

    private void answer(Code code) {
        scripted.pass(Duration.ofMillis(3));
        scripted.answer(scripted.open().get(0), code, null);
    }

    @Test
    void requests_ofEveryKind_areToldAsWhatTheyAreBeforeTheReply() {
        ZkWire wire = metered();
        wire.create("/a/l", EMPTY, CreateMode.EPHEMERAL_SEQUENTIAL, reply());
        answer(Code.OK);
        wire.create("/a", EMPTY, CreateMode.CONTAINER, reply());
        answer(Code.NODEEXISTS);
        wire.children("/a", reply());
        answer(Code.NONODE);
        wire.read("/a", reply());
        answer(Code.CONNECTIONLOSS);
        wire.watch("/a", reply());
        answer(Code.OK);
        wire.unwatch("/a", reply());
        answer(Code.NOWATCHER);
        wire.follow("/a", reply());
        answer(Code.OK);
        wire.delete("/a", reply());
        answer(Code.SESSIONEXPIRED);
        wire.multi(List.of(new Check("/a", -1)), (code, at, zxid) -> replies.add(code + " after " + told.size()));
        answer(Code.OK);
        wire.multi(
                List.of(new Check("/a", -1), new Write("/a", EMPTY, 1)),
                (code, at, zxid) -> replies.add(code + " after " + told.size()));
        answer(Code.BADVERSION);

        assertThat(told)
                .containsExactly(
                        "JOIN OK 3",
                        "CREATE REFUSED 3",
                        "LIST REFUSED 3",
                        "READ UNANSWERED 3",
                        "WATCH OK 3",
                        "WATCH REFUSED 3",
                        "WATCH OK 3",
                        "DELETE FAILED 3",
                        "COMMIT OK 3",
                        "TRANSACT REFUSED 3");
        assertThat(replies).hasSize(10).startsWith("OK after 1").endsWith("BADVERSION after 10");
    }

    @Test
    void ifWanted_sharedSession_staysOneAndIsLeftAsOne() {
        ZkWire.Factory shared = new ZkWire.Factory() {
            @Override
            public ZkWire open(Duration timeout, ZkWire.Events events) {
                return scripted;
            }

            @Override
            public boolean shared() {
                return true;
            }
        };
        RequestListener deaf = (kind, outcome, tookNanos) -> {};

        ZkWire.Factory metered = MeteredWire.ifWanted(shared, scripted, new Listener(Optional.of(deaf)));
        metered.open(TIMEOUT, null).leave(List.of("/a/l"), gone -> {});

        assertThat(metered.shared()).isTrue();
        assertThat(scripted.left).containsExactly("/a/l");
    }

    @Test
    void ifWanted_nobodyWantsToKnow_leavesTheWireAlone() {
        ZkWire.Factory plain = (timeout, events) -> scripted;

        assertThat(MeteredWire.ifWanted(plain, scripted, new Listener(Optional.empty())))
                .isSameAs(plain);
    }

    private record Listener(Optional<RequestListener> requestListener) implements SessionListener {

        @Override
        public void connected() {}

        @Override
        public void suspended() {}

        @Override
        public void proven() {}

        @Override
        public void lost(CoordinationException why) {}
    }
}
