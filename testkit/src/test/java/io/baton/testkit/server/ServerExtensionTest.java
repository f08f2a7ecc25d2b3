package io.baton.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;

/** JUnit calls what is to come after a class and a test also if what comes before has failed, here or elsewhere. */
class ServerExtensionTest {

    private final ExtensionContext oneClass = context("one class");
    private final ExtensionContext otherClass = context("other class");
    private final ExtensionContext test = context("test");
    private final Extension extension = new Extension();
    private boolean fails;
    private boolean failsToClose;
    private int running;

    private static ExtensionContext context(String id) {
        return (ExtensionContext) Proxy.newProxyInstance(
                ExtensionContext.class.getClassLoader(),
                new Class<?>[] {ExtensionContext.class},
                (own, method, with) -> method.getName().equals("getUniqueId") ? id : Optional.empty());
    }

    @Test
    void afterEach_anEarlierStartHasFailed_theServerRunsUntilAfterTheClass() {
        fails = true;
        assertThatThrownBy(() -> extension.beforeAll(oneClass)).hasMessage("no port");
        extension.afterAll(oneClass);
        fails = false;

        runsUntilAfterTheClass();
    }

    @Test
    void afterEach_anotherExtensionHasFailedBefore_theServerRunsUntilAfterTheClass() {
        extension.afterAll(oneClass);

        runsUntilAfterTheClass();
    }

    @Test
    void afterAll_serverFailsToClose_theNextClassHasANewOne() {
        failsToClose = true;
        extension.beforeAll(oneClass);
        Server first = extension.server();
        assertThatThrownBy(() -> extension.afterAll(oneClass)).hasMessage("does not end");
        failsToClose = false;

        extension.beforeAll(otherClass);

        assertThat(extension.server()).isNotSameAs(first);
        extension.afterAll(otherClass);
    }

    private void runsUntilAfterTheClass() {
        extension.beforeAll(otherClass);
        for (int i = 0; i < 2; i++) {
            extension.beforeEach(test);
            extension.afterEach(test);
            assertThat(running).isEqualTo(1);
        }
        extension.afterAll(otherClass);
        assertThat(running).isZero();
    }

    private final class Extension extends ServerExtension<Server> {

        Extension() {
            super(Server.class, () -> new Server());
        }
    }

    private final class Server implements TestServer {

        Server() {
            if (fails) {
                throw new IllegalStateException("no port");
            }
            running++;
        }

        @Override
        public String uri(String place) {
            return place;
        }

        @Override
        public void serve() {}

        @Override
        public void close() {
            if (failsToClose) {
                throw new IllegalStateException("does not end");
            }
            running--;
        }
    }
}
