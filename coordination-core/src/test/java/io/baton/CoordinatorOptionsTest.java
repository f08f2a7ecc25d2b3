package io.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.internal.line.EntryInfo;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CoordinatorOptionsTest {

    static Stream<Arguments> durations() {
        return Stream.of(
                duration("ttl", CoordinatorOptions.Builder::ttl),
                duration("connectTimeout", CoordinatorOptions.Builder::connectTimeout),
                duration("requestTimeout", CoordinatorOptions.Builder::requestTimeout),
                duration("closeTimeout", CoordinatorOptions.Builder::closeTimeout));
    }

    private static Arguments duration(
            String name, BiFunction<CoordinatorOptions.Builder, Duration, CoordinatorOptions.Builder> set) {
        return Arguments.of(name, set);
    }

    @ParameterizedTest
    @MethodSource("durations")
    void build_durationThatMakesNoSense_isRefusedByName(
            String name, BiFunction<CoordinatorOptions.Builder, Duration, CoordinatorOptions.Builder> set) {
        for (Duration bad : new Duration[] {Duration.ZERO, Duration.ofMillis(-1), Duration.ofDays(2)}) {
            CoordinatorOptions.Builder builder = set.apply(CoordinatorOptions.builder(), bad);
            assertThatThrownBy(builder::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining(bad.toString());
        }
    }

    @Test
    void build_noWaiters_isRefused() {
        assertThatThrownBy(() -> CoordinatorOptions.builder().maxWaiting(0).build())
                .hasMessageContaining("maxWaiting");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "two\nlines"})
    void build_clientThatCannotBeShown_isRefused(String client) {
        assertThatThrownBy(() -> CoordinatorOptions.builder().client(client).build())
                .hasMessageContaining("client");
        assertThatThrownBy(() ->
                        CoordinatorOptions.builder().client("x".repeat(201)).build())
                .hasMessageContaining("client");
    }

    @Test
    void client_notGiven_isTheHostAndTheProcess() {
        EntryInfo self = EntryInfo.ofThisProcess("");

        String name = CoordinatorOptions.defaults().client();

        assertThat(name).isEqualTo(EntryInfo.thisProcess()).endsWith("-" + self.pid());
        assertThat(name).startsWith(self.host().isEmpty() ? "process" : self.host());
        assertThat(CoordinatorOptions.builder().client("shop").build().client()).isEqualTo("shop");
    }

    @Test
    void telemetry_severalListeners_areKeptInOrder() {
        Telemetry one = new Telemetry() {};
        Telemetry other = new Telemetry() {};
        var builder = CoordinatorOptions.builder().telemetry(one).telemetry(other);

        assertThat(builder.build().telemetry()).containsExactly(one, other);
        assertThat(CoordinatorOptions.defaults().telemetry()).isEmpty();
    }

    @Test
    void defaults_anyTime_areValid() {
        CoordinatorOptions defaults = CoordinatorOptions.defaults();

        assertThat(defaults.ttl()).isEqualTo(Duration.ofSeconds(10));
        assertThat(defaults.callbacks()).isEmpty();
        assertThat(defaults.leakDetection()).isFalse();
        assertThat(CoordinatorOptions.builder().leakDetection(true).build().leakDetection())
                .isTrue();
    }
}
