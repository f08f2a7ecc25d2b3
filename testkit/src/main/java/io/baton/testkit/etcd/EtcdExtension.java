package io.baton.testkit.etcd;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives the tests of a class a real etcd server, and each test a root of its own.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final EtcdExtension etcd = EtcdExtension.newest();
 *
 * @Test
 * void placeOrder_...() {
 *     try (Coordinator baton = Coordinator.connect(etcd.uri())) {
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>In a static field, or by {@code @ExtendWith}, the server runs from before the first test of the class, nested ones
 * included, until after the last; in an instance field each test has a server of its own. Tests may have a parameter of
 * type {@link LocalEtcd}. A server that a test has killed or frozen serves again before the next one.
 *
 * <p><b>Not guaranteed.</b> Tests of one class that run at the same time must not use {@link #uri()}, but {@link
 * LocalEtcd#uri(String)} with names of their own.
 */
public final class EtcdExtension
        implements ExecutionCondition,
                BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                ParameterResolver {

    private static final AtomicLong tests = new AtomicLong();

    private final LocalEtcd.Builder builder;
    private final boolean older;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable LocalEtcd server;
    private int users;
    private volatile String root = "";

    /** With a server of the newest version there is. */
    public EtcdExtension() {
        this(LocalEtcd.builder());
    }

    /** With a server of this kind. */
    public EtcdExtension(LocalEtcd.Builder builder) {
        this(builder, false);
    }

    private EtcdExtension(LocalEtcd.Builder builder, boolean older) {
        this.builder = builder;
        this.older = older;
    }

    /** With a server of the newest version there is. */
    public static EtcdExtension newest() {
        return new EtcdExtension();
    }

    /** With a server of the oldest version there is; where that is the newest as well, the tests are left out. */
    public static EtcdExtension oldest() {
        return new EtcdExtension(LocalEtcd.builder().oldest(), true);
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (!older) {
            return ConditionEvaluationResult.enabled("runs on the newest etcd");
        }
        List<EtcdBinaries> all = EtcdBinaries.all();
        return all.size() > 1
                ? ConditionEvaluationResult.enabled("etcd " + all.get(0).version() + " is here")
                : ConditionEvaluationResult.disabled("there is only one version of etcd here, "
                        + all.get(0).version() + "; these tests are for an older one, to be named in "
                        + EtcdBinaries.VARIABLE);
    }

    /**
     * The address of the present test's own root for {@code Coordinator.connect}.
     *
     * @throws IllegalStateException when no test runs
     */
    public String uri() {
        return server().uri(root);
    }

    /** The present test's own root. */
    public String root() {
        return root;
    }

    /**
     * The server.
     *
     * @throws IllegalStateException when no test runs
     */
    public LocalEtcd server() {
        LocalEtcd now = server;
        if (now == null) {
            throw new IllegalStateException("etcd runs only while tests run");
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
        server().wake();
        if (!server().isRunning()) {
            server().restart();
        }
        root = "/" + readable(context) + "-" + tests.incrementAndGet();
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
        return parameter.getParameter().getType() == LocalEtcd.class;
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
