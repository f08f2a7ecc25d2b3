package io.baton.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.tck.config.ConfigLog;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.retry.RetryForever;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A configuration is changed while its followers are out of contact: a service that follows it by ours, and one that does
 * by Curator's {@code CuratorCache}, behind the same proxy. After a reconnection the cache reads again what it knows, but calls
 * its listeners only if a node's version is another one, and lists the children of a node only if its child version is. Both begin
 * again at zero when a node is made anew.
 */
@Timeout(120)
class ConfigBesideCuratorCacheIT {

    private static final int SESSION_MILLIS = 30_000;

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private final List<String> toldByTheirs = new CopyOnWriteArrayList<>();
    private String space;
    private TcpProxy proxy;
    private Coordinator baton;
    private ConfigLog ours;
    private CuratorFramework client;
    private CuratorCache theirs;
    private CuratorFramework writer;

    @BeforeEach
    void follow() throws Exception {
        space = zookeeper.chroot() + "/config";
        writer = connect(zookeeper.server().connectString());
        set("key", "one");
        proxy = TcpProxy.to(zookeeper.server().address());
        baton = Coordinator.connect(
                zookeeper.server().uri(proxy, zookeeper.chroot()),
                CoordinatorOptions.builder()
                        .ttl(Duration.ofMillis(SESSION_MILLIS))
                        .build());
        ours = ConfigLog.follow(baton);
        client = connect("127.0.0.1:" + proxy.port());
        theirs = CuratorCache.build(client, space);
        theirs.listenable()
                .addListener((kind, before, now) ->
                        toldByTheirs.add(now == null ? "gone " + key(before) : key(now) + "=" + text(now)));
        theirs.start();
        soon().until(() -> toldByTheirs.contains("key=one") && ours.isAt(Map.of("key", "one")));
    }

    @AfterEach
    void stop() {
        ours.close();
        baton.close();
        theirs.close();
        client.close();
        writer.close();
        proxy.close();
    }

    @Test
    void key_deletedAndRecreatedOutOfContact_oursIsToldAndTheirsIsNot() throws Exception {
        outOfContact(() -> {
            delete("key");
            set("key", "two");
        });

        soon().until(() -> ours.isAt(Map.of("key", "two")));
        assertThat(ours.changes("key")).containsExactly("one", "two");
        soon().until(() -> inTheirs("key").equals(Optional.of("two")));
        goOn();
        assertThat(toldByTheirs).as("told by theirs").doesNotContain("key=two", "gone key");
    }

    @Test
    void parent_deletedAndRecreatedOutOfContact_oursFollowsAndTheirsDoesNot() throws Exception {
        outOfContact(() -> {
            delete("key");
            writer.delete().forPath(space);
            set("other", "two");
        });

        soon().until(() -> ours.isAt(Map.of("other", "two")));
        assertThat(ours.changes("key")).containsExactly("one", "(none)");
        assertThat(ours.changes("other")).containsExactly("two");
        soon().until(() -> toldByTheirs.contains("gone key"));
        goOn();
        assertThat(inTheirs("other")).as("in theirs").isEmpty();
        assertThat(toldByTheirs).as("told by theirs").doesNotContain("other=two");
    }

    private interface Act {
        void run() throws Exception;
    }

    private void outOfContact(Act act) throws Exception {
        proxy.refuse();
        proxy.cut();
        soon().until(() -> baton.state() == SessionState.SUSPENDED
                && !client.getZookeeperClient().isConnected());
        act.run();
        proxy.accept();
    }

    /** What is written from now on both are told; nothing of before comes after it. */
    private void goOn() throws Exception {
        set("later", "three");
        soon().until(() -> ours.changes("later").equals(List.of("three")) && toldByTheirs.contains("later=three"));
    }

    private void set(String key, String text) throws Exception {
        writer.create().orSetData().creatingParentsIfNeeded().forPath(space + "/" + key, text.getBytes(UTF_8));
    }

    private void delete(String key) throws Exception {
        writer.delete().forPath(space + "/" + key);
    }

    private Optional<String> inTheirs(String key) {
        return theirs.get(space + "/" + key).map(ConfigBesideCuratorCacheIT::text);
    }

    private static String key(ChildData node) {
        return node.getPath().substring(node.getPath().lastIndexOf('/') + 1);
    }

    private static String text(ChildData node) {
        return new String(node.getData(), UTF_8);
    }

    private static CuratorFramework connect(String servers) throws InterruptedException {
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(servers, SESSION_MILLIS, 10_000, new RetryForever(100));
        client.start();
        client.blockUntilConnected();
        return client;
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }
}
