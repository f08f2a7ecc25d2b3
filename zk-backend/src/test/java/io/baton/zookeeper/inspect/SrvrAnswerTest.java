package io.baton.zookeeper.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SrvrAnswerTest {

    private static final String FOLLOWER = """
            Zookeeper version: 3.9.5-a1b2c3d4, built on 2025-02-05 11:10 UTC
            Latency min/avg/max: 0/0.3913/12
            Received: 4719
            Sent: 4718
            Connections: 7
            Outstanding: 0
            Zxid: 0x100000004
            Mode: follower
            Node count: 38
            """;

    @Test
    void parse_serverThatServes_saysVersionModeAndConnections() {
        assertThat(SrvrAnswer.parse(FOLLOWER)).contains(new SrvrAnswer("3.9.5", "follower", 7));
    }

    @Test
    void parse_serverWithoutQuorumOrPermission_isEmpty() {
        assertThat(SrvrAnswer.parse("This ZooKeeper instance is not currently serving requests\n"))
                .isEmpty();
        assertThat(SrvrAnswer.parse("srvr is not executed because it is not in the whitelist.\n"))
                .isEmpty();
    }

    @Test
    void atLeast_versions_areComparedByNumber() {
        assertThat(new SrvrAnswer("3.10.0", "follower", 0).atLeast(3, 6)).isTrue();
        assertThat(new SrvrAnswer("3.6.0", "follower", 0).atLeast(3, 6)).isTrue();
        assertThat(new SrvrAnswer("4.0.0", "follower", 0).atLeast(3, 6)).isTrue();
        assertThat(new SrvrAnswer("3.5.9", "follower", 0).atLeast(3, 6)).isFalse();
    }
}
