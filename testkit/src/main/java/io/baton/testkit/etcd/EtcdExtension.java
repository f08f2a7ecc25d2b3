package io.baton.testkit.etcd;

import io.baton.testkit.server.ServerExtension;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

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
 */
public final class EtcdExtension extends ServerExtension<LocalEtcd> implements ExecutionCondition {

    private final boolean older;

    /** With a server of the newest version there is. */
    public EtcdExtension() {
        this(LocalEtcd.builder());
    }

    /** With a server of this kind. */
    public EtcdExtension(LocalEtcd.Builder builder) {
        this(builder, false);
    }

    private EtcdExtension(LocalEtcd.Builder builder, boolean older) {
        super(LocalEtcd.class, builder::start);
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

    /** The present test's own root. */
    public String root() {
        return place();
    }
}
