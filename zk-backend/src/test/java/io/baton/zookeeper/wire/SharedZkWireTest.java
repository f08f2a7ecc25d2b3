package io.baton.zookeeper.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.proxy.Loopback;
import io.baton.zookeeper.ScriptedWire;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is left on another program's handle. */
class SharedZkWireTest {

    private Handle handle;
    private ZkWire wire;

    @BeforeEach
    void open() throws IOException {
        handle = new Handle();
        var address = new ZkAddress("nowhere:1", "/app", Duration.ofMillis(200), false, true);
        wire = SharedZkWire.on(() -> handle, address, Acl.OPEN, new ScriptedWire())
                .open(Duration.ofSeconds(4), new ContactDiagnosisTest.Ignored());
        handle.answerAll();
    }

    @AfterEach
    void close() throws InterruptedException {
        handle.close();
    }

    @Test
    void leave_followedAndNotAnyMore_noWatchIsLeft() {
        wire.follow("/app/one", (code, nothing) -> {});
        wire.follow("/app/two", (code, nothing) -> {});
        wire.unwatch("/app/two", (code, nothing) -> {});
        handle.answerAll();
        assertThat(handle.watched).hasSize(2).contains("/app/one");

        leave();

        assertThat(handle.watched).isEmpty();
    }

    @Test
    void leave_followedAgainBeforeTheRemovalWasAnswered_noWatchIsLeft() {
        wire.follow("/app/one", (code, nothing) -> {});
        wire.unwatch("/app/one", (code, nothing) -> {});
        wire.follow("/app/one", (code, nothing) -> {});
        handle.answerAll();
        assertThat(handle.watched).contains("/app/one");

        leave();

        assertThat(handle.watched).isEmpty();
    }

    private void leave() {
        wire.leave(List.of(), gone -> {});
        handle.answerAll();
    }

    /** A handle that is never in contact. The test answers what concerns watches, and knows which are set. */
    private static final class Handle extends ZooKeeper {

        private final Set<String> watched = new HashSet<>();
        private final Queue<Runnable> open = new ArrayDeque<>();

        Handle() throws IOException {
            super("127.0.0.1:" + Loopback.freePort(), 4_000, event -> {});
        }

        void answerAll() {
            while (!open.isEmpty()) {
                open.remove().run();
            }
        }

        @Override
        public void addWatch(String path, Watcher watcher, AddWatchMode mode, VoidCallback done, Object context) {
            open.add(() -> {
                watched.add(path);
                done.processResult(Code.OK.intValue(), path, context);
            });
        }

        @Override
        public void removeWatches(
                String path, Watcher watcher, WatcherType type, boolean local, VoidCallback done, Object context) {
            open.add(() -> {
                watched.remove(path);
                done.processResult(Code.OK.intValue(), path, context);
            });
        }
    }
}
