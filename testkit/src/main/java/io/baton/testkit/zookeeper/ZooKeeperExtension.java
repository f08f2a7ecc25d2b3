package io.baton.testkit.zookeeper;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives the tests of a class a real ZooKeeper server, and each test a chroot of its own.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();
 *
 * @Test
 * void placeOrder_...() {
 *     try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>In a static field, or by {@code @ExtendWith}, the server runs from before the first test of the class, nested ones
 * included, until after the last; in an instance field each test has a server of its own. Tests may have a parameter of
 * type {@link LocalZooKeeper}. A server that a test has stopped is restarted before the next one.
 *
 * <p><b>Not guaranteed.</b> Tests of one class that run at the same time must not use {@link #uri()}, but {@link
 * LocalZooKeeper#uri(String)} with names of their own.
 */
public final class ZooKeeperExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    private static final AtomicLong tests = new AtomicLong();

    private final LocalZooKeeper.Builder builder;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable LocalZooKeeper server;
    private int users;
    private volatile String chroot = "";

    /** With the defaults of {@link LocalZooKeeper#builder()}. */
    public ZooKeeperExtension() {
        this(LocalZooKeeper.builder());
    }

    /** With a server of this kind. */
    public ZooKeeperExtension(LocalZooKeeper.Builder builder) {
        this.builder = builder;
    }

    /**
     * The address of the present test's own chroot for {@code Coordinator.connect}. It does not exist yet; Baton creates
     * it.
     *
     * @throws IllegalStateException when no test runs
     */
    public String uri() {
        return server().uri(chroot);
    }

    /** The path of the present test's own chroot. */
    public String chroot() {
        return chroot;
    }

    /**
     * The server.
     *
     * @throws IllegalStateException when no test runs
     */
    public LocalZooKeeper server() {
        LocalZooKeeper now = server;
        if (now == null) {
            throw new IllegalStateException("ZooKeeper runs only while tests run");
        }
        return now;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        use();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        use();
        if (!server().isRunning()) {
            server().restart();
        }
        chroot = "/" + readable(context) + "-" + tests.incrementAndGet();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        leave();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        leave();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == LocalZooKeeper.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return server();
    }

    private void use() {
        lock.lock();
        try {
            if (server == null) {
                server = builder.start();
            }
            users++;
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            users--;
            if (users == 0 && server != null) {
                server.close();
                server = null;
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
