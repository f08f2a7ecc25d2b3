package io.baton.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Item;
import io.baton.Position;
import io.baton.Records;
import io.baton.RecordsListener;
import io.baton.SessionState;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Somebody deletes the node that all records lie below, and makes it again, with the same records in it. */
@Timeout(60)
class RecordsRootGoneIT {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    /** Keeps what it is told. */
    private static final class Replica implements RecordsListener {

        private final Map<String, Item> now = new TreeMap<>();
        private Position at = new Position("", 0);

        @Override
        public synchronized void snapshot(Map<String, Item> all, Position position) {
            now.clear();
            now.putAll(all);
            at = position;
        }

        @Override
        public synchronized void changed(List<Item> put, List<String> gone, long revision) {
            put.forEach(item -> now.put(item.key().name(), item));
            gone.forEach(now::remove);
            at = new Position(at.history(), revision);
        }

        synchronized Map<String, Item> now() {
            return Map.copyOf(now);
        }

        synchronized Position at() {
            return at;
        }
    }

    @Test
    void rootRecreated_whileInContact_isFollowedAndAnotherHistory() throws Exception {
        followed(zookeeper.uri(), baton -> recreate());
    }

    @Test
    void rootRecreated_duringABreak_isFollowedAndAnotherHistory() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(zookeeper.server().address())) {
            String chroot = zookeeper.chroot().substring(1);
            followed(zookeeper.server().uri(proxy, chroot), baton -> {
                proxy.refuse();
                proxy.cut();
                await().until(() -> baton.state() == SessionState.SUSPENDED);
                recreate();
                proxy.accept();
            });
        }
    }

    /** Also what comes afterwards is told: the watch has outlived the node that it was set on. */
    private static void followed(String uri, Consumer<Coordinator> recreated) throws Exception {
        try (Coordinator baton = Coordinator.connect(uri);
                Coordinator steady = Coordinator.connect(zookeeper.uri())) {
            Records records = steady.records("config");
            records.put("a", "same".getBytes(UTF_8));
            records.put("b", "gone".getBytes(UTF_8));
            Replica replica = new Replica();
            var unused = baton.records("config").observe("", replica);
            await().until(() -> replica.now().size() == 2);
            Position before = replica.at();

            recreated.accept(baton);

            Item again = records.get("a").orElseThrow();
            await().until(() -> replica.now().size() == 1
                    && again.revision().equals(replica.now().get("a").revision()));
            assertThat(replica.at().history()).isNotEmpty().isNotEqualTo(before.history());
            assertThat(replica.at().revision()).isGreaterThan(before.revision());

            records.put("a", "other".getBytes(UTF_8));
            records.put("c", "new".getBytes(UTF_8));
            await().until(() -> replica.now().keySet().equals(Set.of("a", "c"))
                    && replica.now().get("a").text().equals("other"));
        }
    }

    private static void recreate() {
        String root = zookeeper.chroot() + "/config";
        try (var zk = new ZooKeeper(zookeeper.server().connectString(), 4_000, event -> {})) {
            ZKUtil.deleteRecursive(zk, root);
            zk.create(root, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            zk.create(root + "/a", "same".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
