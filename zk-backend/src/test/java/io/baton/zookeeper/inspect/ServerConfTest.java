package io.baton.zookeeper.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apache.zookeeper.server.ZooKeeperServerConf;
import org.junit.jupiter.api.Test;

class ServerConfTest {

    private static final ServerConf EXPECTED = new ServerConf(Duration.ofMillis(2_000), OptionalInt.of(60));

    @Test
    void parse_answerToConf_saysTickAndConnections() {
        String conf =
                """
                clientPort=2181
                secureClientPort=-1
                dataDir=/var/lib/zookeeper/version-2
                tickTime=2000
                maxClientCnxns=60
                minSessionTimeout=4000
                maxSessionTimeout=40000
                serverId=1
                """;
        assertThat(ServerConf.parse(conf)).contains(EXPECTED);
    }

    /** With the names that the server's own class gives them. */
    @Test
    void parse_answerOfAdminServer_saysTheSame() {
        String json = new ZooKeeperServerConf(2181, "/data", "/log", 2_000, 60, 4_000, 40_000, 1, 50)
                .toMap().entrySet().stream()
                        .map(each -> "\"" + each.getKey() + "\" : "
                                + (each.getValue() instanceof Number ? each.getValue() : "\"" + each.getValue() + "\""))
                        .collect(Collectors.joining(",\n  ", "{\n  ", "\n}"));
        assertThat(ServerConf.parse(json)).contains(EXPECTED);
    }

    @Test
    void parse_serverThatMustNotTell_isEmpty() {
        assertThat(ServerConf.parse("conf is not executed because it is not in the whitelist."))
                .isEmpty();
    }
}
