package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.tck.config.ConfigLog;
import io.baton.testkit.etcd.EtcdExtension;
import io.baton.testkit.etcd.EtcdFraming;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Fault;
import io.baton.testkit.proxy.Moment;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.proxy.Trigger;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A configuration is changed while its followers are out of contact: a service that follows it by ours, and one that reads it and then
 * watches it by jetcd's {@code Watch} from there, behind a proxy of its own each. When the server says that it watches, it names its
 * present revision; jetcd then takes that for what it has told, whatever came before, and goes on from there once the connection breaks. Where
 * it has been compacted, its watch ends with an error.
 */
@Tag("etcd")
@Timeout(120)
class ConfigBesideJetcdIT {

    private static final int WRITES = 20;

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    private final List<String> toldByTheirs = new CopyOnWriteArrayList<>();
    private final List<Throwable> troubleOfTheirs = new CopyOnWriteArrayList<>();
    private ByteSequence space;
    private Client direct;
    private KV writer;
    private TcpProxy proxy;
    private Coordinator baton;
    private ConfigLog ours;
    private TcpProxy theirProxy;
    private Client theirs;

    @BeforeEach
    void follow() throws Exception {
        space = bytes(etcd.root() + "/config/");
        direct = connect(etcd.server().port());
        writer = direct.getKVClient();
        set("key", "one");
        proxy = TcpProxy.to(etcd.server().address(), new EtcdFraming());
        baton = Coordinator.connect(
                etcd.server().uri(proxy, etcd.root()),
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(30)).build());
        ours = ConfigLog.follow(baton);
        theirProxy = TcpProxy.to(etcd.server().address(), new EtcdFraming());
        theirs = connect(theirProxy.port());
    }

    @AfterEach
    void stop() {
        ours.close();
        baton.close();
        theirs.close();
        direct.close();
        theirProxy.close();
        proxy.close();
    }

    @Test
    void key_deletedAndRecreatedOutOfContact_bothAreTold() throws Exception {
        watchByTheirs(read());
        set("key", "two");
        soon().until(() -> toldByTheirs.contains("key=two") && ours.isAt(Map.of("key", "two")));

        lose(proxy);
        lose(theirProxy);
        soon().until(() -> baton.state() == SessionState.SUSPENDED);
        delete("key");
        set("key", "three");
        proxy.accept();
        theirProxy.accept();

        soon().until(() -> ours.isAt(Map.of("key", "three")));
        assertThat(ours.changes("key")).containsExactly("one", "two", "(none)", "three");
        soon().until(() -> toldByTheirs.contains("key=three"));
        assertThat(toldByTheirs).endsWith("gone key", "key=three");
    }

    @Test
    void watch_cutRightAfterItWasCreatedInThePast_oursIsToldOfAllAndTheirsIsNot() throws Exception {
        long known = read();
        lose(proxy);
        soon().until(() -> baton.state() == SessionState.SUSPENDED);
        for (String number : numbers()) {
            set("key", number);
        }
        Trigger cut = cutWhenCreated(proxy);
        Trigger theirCut = cutWhenCreated(theirProxy);

        proxy.accept();
        watchByTheirs(known);

        soon().until(() -> cut.fired() && ours.isAt(Map.of("key", "19")));
        assertThat(ours.changes("key")).startsWith("one").endsWith(numbers().toArray(String[]::new));
        soon().until(theirCut::fired);
        goOn();
        assertThat(toldByTheirs)
                .as("told by theirs")
                .doesNotContainAnyElementsOf(numbers().stream()
                        .limit(WRITES - 1)
                        .map(number -> "key=" + number)
                        .toList());
    }

    @Test
    void space_compactedOutOfContact_oursGoesOnAndTheirsEnds() throws Exception {
        watchByTheirs(read());
        set("key", "two");
        soon().until(() -> toldByTheirs.contains("key=two") && ours.isAt(Map.of("key", "two")));

        lose(proxy);
        lose(theirProxy);
        soon().until(() -> baton.state() == SessionState.SUSPENDED);
        set("key", "three");
        set("other", "three");
        etcd.server().compact();
        proxy.accept();
        theirProxy.accept();

        soon().until(() -> ours.isAt(Map.of("key", "three", "other", "three")));
        soon().until(() -> troubleOfTheirs.stream()
                .anyMatch(trouble -> trouble.getMessage().contains("compacted")));
        set("later", "four");
        soon().until(() -> ours.hasKey("later"));
        assertThat(toldByTheirs).as("told by theirs").endsWith("key=two");
    }

    /** What is written from now on both are told; nothing of before comes after it. */
    private void goOn() throws Exception {
        soon().until(() -> {
            set("later", "x");
            return ours.hasKey("later") && toldByTheirs.contains("later=x");
        });
    }

    /** All there is, as who watches with jetcd begins; returns of which revision. */
    private long read() throws Exception {
        GetResponse all = theirs.getKVClient()
                .get(space, GetOption.builder().isPrefix(true).build())
                .get();
        return all.getHeader().getRevision();
    }

    private void watchByTheirs(long known) {
        theirs.getWatchClient()
                .watch(
                        space,
                        WatchOption.builder()
                                .isPrefix(true)
                                .withRevision(known + 1)
                                .build(),
                        Watch.listener(
                                response -> response.getEvents().forEach(event -> toldByTheirs.add(text(event))),
                                troubleOfTheirs::add));
    }

    /** The server's word that it watches arrives, and nothing after it. */
    private static Trigger cutWhenCreated(TcpProxy proxy) {
        return proxy.faults().at(Direction.TO_CLIENT, 1, "watch(created)"::equals, Moment.AFTER, Fault.end());
    }

    private static void lose(TcpProxy proxy) {
        proxy.refuse();
        proxy.cut();
    }

    private void set(String key, String text) throws Exception {
        writer.put(bytes(space + key), bytes(text)).get();
    }

    private void delete(String key) throws Exception {
        writer.delete(bytes(space + key), DeleteOption.DEFAULT).get();
    }

    private String text(WatchEvent event) {
        String key = event.getKeyValue().getKey().toString(UTF_8).substring(space.size());
        return event.getEventType() == WatchEvent.EventType.DELETE
                ? "gone " + key
                : key + "=" + event.getKeyValue().getValue().toString(UTF_8);
    }

    private static List<String> numbers() {
        return IntStream.range(0, WRITES).mapToObj(String::valueOf).toList();
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    private static Client connect(int port) {
        return Client.builder()
                .endpoints(URI.create("http://127.0.0.1:" + port))
                .build();
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }
}
