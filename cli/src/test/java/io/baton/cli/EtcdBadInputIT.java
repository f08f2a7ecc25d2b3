package io.baton.cli;

import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;

/** What can be wrong with an address of etcd, and with what is there. */
@Tag("etcd")
@Tag("long")
class EtcdBadInputIT extends BadInputIT {

    private static LocalEtcd plain;
    private static LocalEtcd secure;
    private static LocalZooKeeper other;
    private static ServerSocket silent;

    @BeforeAll
    static void startEtcd() throws IOException {
        plain = LocalEtcd.start();
        secure = LocalEtcd.builder().tls().start();
        other = LocalZooKeeper.start();
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterAll
    static void stopEtcd() throws IOException {
        plain.close();
        secure.close();
        other.close();
        silent.close();
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                bad(64, "no servers", "--connect", "etcd:/x", "x"),
                bad(64, "no servers", "--connect", "etcd:///app", "x"),
                bad(64, "'h:99999' is not host:port", "--connect", "etcd://h:99999/app", "x"),
                bad(64, "the only option is config=FILE", "--connect", "etcd://h:1/app?tick=2s", "x"),
                bad(64, "forbidden segment", "--connect", "etcd://h:1/a/../b", "x"),
                bad(64, "BATON_ETCD_PASSWORD_FILE", "--connect", "etcd://me:secret@h:1/app", "x"),
                bad(64, "/nowhere/settings", "--connect", "etcd://h:1/app?config=/nowhere/settings", "x"),
                bad(64, "dialect kazoo on etcd", "--connect", plain.uri("a"), "--at", "/x", "--dialect", "kazoo", "x"));
    }

    static Stream<Arguments> unreachable() {
        String here = "127.0.0.1:" + plain.port();
        String encrypted = "127.0.0.1:" + secure.port();
        String mute = "127.0.0.1:" + silent.getLocalPort();
        String zookeeper = other.connectString();
        return Stream.of(
                bad(69, "127.0.0.1:1 refuses connections", "--connect", "etcd://127.0.0.1:1/a", "--timeout", "3s", "x"),
                bad(69, "no-such-host.invalid", "--connect", "etcd://no-such-host.invalid/a", "--timeout", "1s", "x"),
                bad(69, mute, "--connect", "etcd://" + mute + "/a", "--timeout", "1s", "x"),
                bad(69, zookeeper, "--connect", "etcd://" + zookeeper + "/a", "--timeout", "3s", "x"),
                bad(69, encrypted + " speaks TLS only", "--connect", "etcd://" + encrypted + "/a", "x"),
                bad(69, here + " does not speak TLS", "--connect", "etcds://" + here + "/a", "x"),
                bad(69, "certificate that is not trusted", "--connect", secure.uri("a"), "x"));
    }

    static Stream<Arguments> lockOnly() {
        return Stream.of(bad(64, "'--grace'", "--connect", plain.uri("a"), "--grace", "2", "x"));
    }
}
