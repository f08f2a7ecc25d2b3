package io.baton.zookeeper.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ServerConfTest {

    private static final ServerConf EXPECTED = new ServerConf(Duration.ofMillis(2_000), OptionalInt.of(60));

    @Test
    void parse_answerToConf_saysTickAndConnections() {
        String conf = """
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

    @Test
    void parse_answerOfAdminServer_saysTheSame() {
        String json = """
                {
                  "client_port" : 2181,
                  "data_dir" : "/var/lib/zookeeper/version-2",
                  "tick_time" : 2000,
                  "max_client_cnxns" : 60,
                  "min_session_timeout" : 4000,
                  "max_session_timeout" : 40000,
                  "server_id" : 1,
                  "command" : "configuration",
                  "error" : null
                }
                """;
        assertThat(ServerConf.parse(json)).contains(EXPECTED);
    }

    @Test
    void parse_serverThatMustNotTell_isEmpty() {
        assertThat(ServerConf.parse("conf is not executed because it is not in the whitelist."))
                .isEmpty();
    }
}
