package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Dialect;
import io.baton.spi.Line;
import io.baton.spi.Store;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveEtcdStoreTest {

    private static final Store STORE = new EtcdStoreProvider().create(URI.create("etcd://localhost/team/app"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/team",
                "/team/app",
                "/team/app/.sessions",
                "/team/app/.sessions/7",
                "/team/app/locks",
                "/team/app/elections",
                "/team/app/config",
                "/team/app/config/x",
                "/team/app/rwlocks",
                "/team/app/rwlocks/x",
                "/team/app/semaphores",
                "/team/app/semaphores/x",
                "/team/app/config.history",
                "/team/app/baton.states/x"
            })
    void check_exactLineAmongBatonsOwnKeys_isRefused(String path) {
        assertThatThrownBy(() -> STORE.check(Line.at(path, Dialect.BATON)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there can be no line at " + path
                        + ": its entries would be mixed with other keys that Baton keeps below /team/app/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report",
                "team",
                "/tea",
                "/team/app2",
                "/team/app/report",
                "/team/app/configs",
                "/team/app/locks/x",
                "/team/app/elections/x/y",
                "/team/app/rwlocks.old"
            })
    void check_anyOtherLine_isAllowed(String path) {
        assertThatCode(() -> STORE.check(Line.at(path, Dialect.BATON))).doesNotThrowAnyException();
    }

    /** A reader looks for writers only, by their names, and so would not see the holder of the lock. */
    @ParameterizedTest
    @ValueSource(strings = {"/team/app/locks/x", "/team/app/elections/x", "/team/app/rwlocks/x"})
    void check_exactReadWriteLineAmongBatonsOwnLines_isRefused(String path) {
        assertThatThrownBy(() -> STORE.check(Line.at(path, Dialect.BATON, Line.Kind.READ_WRITE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there can be no line at " + path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/.sessions", "/locks", "/config/x"})
    void check_storeWithoutARoot_refusesTheSame(String path) {
        Store store = new EtcdStoreProvider().create(URI.create("etcd://localhost"));
        assertThatThrownBy(() -> store.check(Line.at(path, Dialect.BATON)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(path);
        store.check(Line.at("report", Dialect.BATON));
        store.check(Line.at("locks", Dialect.BATON));
    }
}
