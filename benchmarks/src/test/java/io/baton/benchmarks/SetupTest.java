package io.baton.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SetupTest {

    @Test
    void parse_nameOfEachSetup_isThatSetup() {
        var setups = Stream.of(Field.values())
                .flatMap(field -> Stream.of(1, 3)
                        .flatMap(servers -> Stream.of(true, false)
                                .flatMap(forced -> Stream.of(true, false)
                                        .map(processes -> new Setup(field, servers, forced, processes)))))
                .toList();

        assertThat(setups)
                .hasSize(16)
                .allSatisfy(setup -> assertThat(Setup.parse(setup.name())).isEqualTo(setup));
    }

    @Test
    void parse_otherStore_isRefused() {
        assertThatThrownBy(() -> Setup.parse("redis-3")).hasMessage("no such store: redis");
    }

    @Test
    void command_everyOption_isNamed() {
        assertThat(new Setup(Field.ETCD, 3, true, true).command())
                .isEqualTo("benchmarks/run --store etcd --servers 3 --fsync --processes");
    }
}
