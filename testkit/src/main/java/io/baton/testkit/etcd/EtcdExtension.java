package io.baton.testkit.etcd;

import io.baton.testkit.server.ServerExtension;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Provides the tests of a class with a real etcd server, and each test with its own root.
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
 */
public final class EtcdExtension extends ServerExtension<LocalEtcd> implements ExecutionCondition {

    private final boolean older;

    /** Uses a server of the newest version found. */
    public EtcdExtension() {
        this(LocalEtcd.builder());
    }

    /** Uses a server of this kind. */
    public EtcdExtension(LocalEtcd.Builder builder) {
        this(builder, false);
    }

    private EtcdExtension(LocalEtcd.Builder builder, boolean older) {
        super(LocalEtcd.class, builder::start);
        this.older = older;
    }

    /** Uses a server of the newest version found. */
    public static EtcdExtension newest() {
        return new EtcdExtension();
    }

    /** Uses a server of the oldest version found. If that is also the newest, the tests are skipped. */
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

    /** The current test's own root. */
    public String root() {
        return place();
    }
}
