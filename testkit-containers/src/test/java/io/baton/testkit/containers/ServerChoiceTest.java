package io.baton.testkit.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.testkit.server.TestServer;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.ContainerLaunchException;

class ServerChoiceTest {

    /** Notes whether it serves. */
    private static class Server implements TestServer {

        boolean serves;

        @Override
        public String uri(String place) {
            return place;
        }

        @Override
        public void serve() {
            serves = true;
        }

        @Override
        public void close() {}
    }

    private final Server local = new Server();
    private final Server container = new Server();

    @Test
    void start_aServerIsHere_asksNoEngine() {
        assertThat(choice(() -> true, ServerChoiceTest::unexpected, container).start())
                .isSameAs(local);
    }

    @Test
    void start_noServerIsHere_takesAContainer() {
        assertThat(choice(() -> false, () -> true, container).start()).isSameAs(container);
        assertThat(container.serves).isTrue();
    }

    @Test
    void start_neither_saysInOneLineWhatToInstall() {
        assertThatThrownBy(() -> choice(() -> false, () -> false, container).start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no etcd here: install it, or start an engine for containers, as Docker or Podman: none"
                        + " answers");
    }

    @Test
    void start_theContainerDoesNotStart_saysWhyAndWhatToInstall() {
        for (RuntimeException broken : List.of(
                new ContainerLaunchException("it exits"),
                new ContainerFetchException("cannot pull it", new Exception()))) {
            Server failing = new Server() {

                @Override
                public void serve() {
                    throw broken;
                }
            };
            assertThatThrownBy(() -> choice(() -> false, () -> true, failing).start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no etcd here: install it; a container does not start either: " + broken.getMessage())
                    .hasCause(broken);
        }
    }

    /** A place that is named by mistake is not passed over. */
    @Test
    void start_aPlaceIsNamedThatHasNone_isRefused() {
        IllegalStateException named = new IllegalStateException("BATON_ETCD names /x, but there is no etcd");

        assertThatThrownBy(() -> choice(
                                () -> {
                                    throw named;
                                },
                                () -> true,
                                container)
                        .start())
                .isSameAs(named);
    }

    private ServerChoice choice(BooleanSupplier here, BooleanSupplier engine, Server container) {
        return new ServerChoice("no etcd here: install it", here, () -> local, engine, () -> container);
    }

    private static boolean unexpected() {
        throw new AssertionError("not to be asked");
    }
}
