package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Dialect;
import io.baton.etcd.wire.EtcdAddress.Host;
import io.baton.spi.Line;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdAddressTest {

    private static EtcdAddress parse(String uri) {
        return EtcdAddress.parse(URI.create(uri));
    }

    @Test
    void parse_severalMembersAndARoot_areTakenApart() {
        EtcdAddress address = parse("etcd://h1,h2:2380,h-3.example.org:4001/app/one/?config=/etc/baton.properties");
        assertThat(address.hosts())
                .containsExactly(new Host("h1", 2379), new Host("h2", 2380), new Host("h-3.example.org", 4001));
        assertThat(address.root()).isEqualTo("/app/one");
        assertThat(address.secure()).isFalse();
        assertThat(address).hasToString("etcd://h1:2379,h2:2380,h-3.example.org:4001/app/one");
        assertThat(EtcdAddress.config(URI.create("etcd://h/?config=/etc/baton.properties")))
                .contains(Path.of("/etc/baton.properties"));
    }

    @Test
    void parse_numericAddressOfVersion6_isTakenFromItsBrackets() {
        assertThat(parse("etcd://[fe80::1]:4001/app").hosts()).containsExactly(new Host("fe80::1", 4001));
        assertThat(parse("etcd://[::1]")).hasToString("etcd://[::1]:2379");
    }

    @Test
    void parse_otherScheme_isSecure() {
        assertThat(parse("etcds://h/app").secure()).isTrue();
        assertThat(parse("etcds://h/app")).hasToString("etcds://h:2379/app");
    }

    @Test
    void key_belowTheRootOrExact_isThere() {
        EtcdAddress address = parse("etcd://h/app");
        assertThat(address.key("locks/a")).isEqualTo("/app/locks/a");
        assertThat(address.key(Line.of("locks/a"))).isEqualTo("/app/locks/a");
        assertThat(address.key(Line.at("/legacy/a", Dialect.BATON))).isEqualTo("/legacy/a");
        assertThat(address.key(Line.at("legacy/a", Dialect.BATON))).isEqualTo("legacy/a");
        assertThat(address.sessionKey(255)).isEqualTo("/app/.sessions/ff");
        assertThat(parse("etcd://h").key("locks/a")).isEqualTo("/locks/a");
        assertThat(parse("etcd://h/").sessionKey(-1)).isEqualTo("/.sessions/ffffffffffffffff");
    }

    @Test
    void parse_encodedRoot_isDecoded() {
        assertThat(parse("etcd://h/caf%C3%A9").key("a")).isEqualTo("/café/a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd:///app",
                "etcd://h1:0/app",
                "etcd://h1:65536",
                "etcd://h1,,h2",
                "etcd://h1:/app",
                "etcd://h1//app",
                "etcd://h1/a/../b",
                "etcd://h1/app?tick=2s",
                "etcd://h1/app?config",
                "etcd://h1/app?config=a&config=b",
                "etcd:h1"
            })
    void parse_whatCannotBe_isRefusedWithAnExample(String uri) {
        assertThatThrownBy(() -> parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("etcd://h1:2379,h2:2379/app");
    }

    @Test
    void parse_credentialsInTheUri_areRefusedAndNotRepeated() {
        assertThatThrownBy(() -> parse("etcd://me:hunter2@h1/app"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BATON_ETCD_PASSWORD_FILE")
                .hasMessageNotContaining("hunter2");
    }
}
