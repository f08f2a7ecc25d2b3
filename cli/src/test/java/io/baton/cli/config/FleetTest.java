package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.Grid;
import io.baton.config.ConfigSource;
import io.baton.config.FleetMember;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetTest {

    private final Fleet fleet = new Fleet(
            17,
            List.of(
                    member("web-2", "h2", Map.of(), ConfigSource.LIVE, 16, "", "port: '0' is no port"),
                    member("web-1", "h1", Map.of("zone", "a"), ConfigSource.LIVE, 17, "", ""),
                    member("web-3\u001b[31m", "", Map.of(), ConfigSource.CACHED, 17, "canary-1", "")));

    private static FleetMember member(
            String id,
            String host,
            Map<String, String> labels,
            ConfigSource source,
            long change,
            String canary,
            String rejected) {
        return new FleetMember(id, "p", host, labels, source, change, change * 10, canary, 0, true, rejected);
    }

    @Test
    void rows_severalInstances_areInOrderAndHarmless() {
        assertThat(Grid.lines(fleet.rows()))
                .containsExactly(
                        "  INSTANCE         HOST  SOURCE  CHANGE  BEHIND  CANARY    REJECTED",
                        "  web-1            h1    live    17      -       -         -",
                        "  web-2            h2    live    16      1       -         port: '0' is no port",
                        "  web-3\\u001b[31m  -     cached  17      -       canary-1  -");
    }

    @Test
    void summary_someBehind_isCounted() {
        assertThat(fleet.summary()).isEqualTo("2 of 3 run change 17, 1 rejected something newer, 1 try a canary");
        assertThat(new Fleet(4, List.of()).summary())
                .isEqualTo("no instance with a name (LiveConfig.builder(...).instance(id)); the newest change is 4");
    }

    @Test
    void json_severalInstances_saysAllOfEach() {
        assertThat(fleet.json())
                .startsWith("{\"change\":17,\"running\":2,\"instances\":[{\"id\":\"web-1\",\"host\":\"h1\","
                        + "\"labels\":{\"zone\":\"a\"},\"source\":\"LIVE\",\"change\":17,\"behind\":0,\"revision\":170,"
                        + "\"canary\":null,\"rejected\":null},\n")
                .doesNotContain("\u001b");
    }
}
