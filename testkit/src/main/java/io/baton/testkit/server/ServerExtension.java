package io.baton.testkit.server;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides the tests of a class with a real server, and each test with its own place there.
 *
 * <p>In a static field, or with {@code @ExtendWith}, the server runs from before the first test of the class until
 * after the last, nested classes included. In an instance field, each test has its own server. Tests may have a
 * parameter of the server's type. A server that a test has killed, stopped or frozen serves again before the next test.
 *
 * <p><b>Not guaranteed.</b> Tests of one class that run concurrently must not use {@link #uri()}, but
 * {@link TestServer#uri(String)} with distinct names.
 */
public abstract class ServerExtension<S extends TestServer>
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    private static final AtomicLong tests = new AtomicLong();

    private final Class<S> type;
    private final Supplier<S> start;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable S server;
    /** The classes and tests that use the server: JUnit also ends those that it has not begun with this extension. */
    private final Set<String> users = new HashSet<>();

    private volatile String place = "";

    /** Uses servers of this kind. */
    protected ServerExtension(Class<S> type, Supplier<S> start) {
        this.type = type;
        this.start = start;
    }

    /**
     * The address of the current test's place; see {@link TestServer#uri}.
     *
     * @throws IllegalStateException while no test runs
     */
    public final String uri() {
        return server().uri(place);
    }

    /** The path of the current test's place. */
    protected final String place() {
        return place;
    }

    /**
     * The server.
     *
     * @throws IllegalStateException while no test runs
     */
    public final S server() {
        S now = server;
        if (now == null) {
            throw new IllegalStateException("a " + type.getSimpleName() + " runs only while tests run");
        }
        return now;
    }

    @Override
    public final void beforeAll(ExtensionContext context) {
        use(context);
    }

    @Override
    public final void beforeEach(ExtensionContext context) {
        use(context);
        server().serve();
        place = "/" + readable(context) + "-" + tests.incrementAndGet();
    }

    @Override
    public final void afterEach(ExtensionContext context) {
        leave(context);
    }

    @Override
    public final void afterAll(ExtensionContext context) {
        leave(context);
    }

    @Override
    public final boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == type;
    }

    @Override
    public final Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return server();
    }

    private void use(ExtensionContext context) {
        lock.lock();
        try {
            users.add(context.getUniqueId());
            if (server == null) {
                server = start.get();
            }
        } finally {
            lock.unlock();
        }
    }

    private void leave(ExtensionContext context) {
        lock.lock();
        try {
            users.remove(context.getUniqueId());
            S now = server;
            if (users.isEmpty() && now != null) {
                server = null; // first: one that fails to close is not offered to the next class
                now.close();
            }
        } finally {
            lock.unlock();
        }
    }

    private static String readable(ExtensionContext context) {
        return context.getTestMethod()
                .map(method -> method.getName().replaceAll("[^A-Za-z0-9_]", "_"))
                .orElse("test")
                .toLowerCase(Locale.ROOT);
    }
}
