package io.baton.zookeeper.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.spi.Stores;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZkAddressTest {

    @Test
    void parse_full_givesItsParts() {
        ZkAddress address = parse("zk://h1:2181,h2:2182/team/app?tick=500ms");

        assertThat(address.hosts()).isEqualTo("h1:2181,h2:2182");
        assertThat(address.root()).isEqualTo("/team/app");
        assertThat(address.path("locks/a")).isEqualTo("/team/app/locks/a");
        assertThat(address.tick()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void parse_addressOfIPv6_isTaken() {
        assertThat(parse("zk://[::1]:2183/app").hosts()).isEqualTo("[::1]:2183");
    }

    @Test
    void parse_hostOnly_isTheWholeTreeWithTheUsualTick() {
        ZkAddress address = parse("zk://localhost");

        assertThat(address.root()).isEqualTo("/");
        assertThat(address.path("locks/a")).isEqualTo("/locks/a");
        assertThat(address.tick()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void parse_schemeAndOptions_sayHowToConnect() {
        ZkAddress address = parse("zks://host/app?create=no&tick=500ms&config=/etc/zk.properties");

        assertThat(address.secure()).isTrue();
        assertThat(address.create()).isFalse();
        assertThat(address.tick()).isEqualTo(Duration.ofMillis(500));
        assertThat(ZkAddress.config(URI.create("zk://host/app?config=/etc/zk.properties")))
                .contains(Path.of("/etc/zk.properties"));
        assertThat(parse("zk://host/app").create()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"zk://app:swordfish@host/app", "zk://app:sword%fish@host/swordfish", "zoo://a:swordfish@host"})
    void at_credentialsInTheUri_areRefusedAndNotShown(String uri) {
        assertThatThrownBy(() -> Stores.at(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("swordfish")
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zk:///app",
                "zk://user:secret@host/app",
                "zk://host:0/app",
                "zk://host:70000/app",
                "zk://host:2181:3/app",
                "zk://host,,other/app",
                "zk://host/a//b",
                "zk://host/../b",
                "zk://host/zookeeper/x",
                "zk://host/a?tick=0s",
                "zk://host/a?tick=2",
                "zk://host/a?tock=2s",
                "zk://host/a?create=maybe",
                "zk://host/a?tick=2s&tick=2s"
            })
    void parse_bad_saysHowItShouldLook(String uri) {
        assertThatThrownBy(() -> parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it should look like zk://");
    }

    private static ZkAddress parse(String uri) {
        return ZkAddress.parse(URI.create(uri));
    }
}
