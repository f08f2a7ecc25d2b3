package io.baton.internal.lock;

import io.baton.internal.session.Requests;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.RecordAccess;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.helpers.NOPLogger;

/** Requests to release for tests in which there are none. */
final class NobodyAsks {

    private NobodyAsks() {}

    static ReleaseRequests on(ClientLoop loop, Callbacks callbacks) {
        RecordAccess none = (RecordAccess) Proxy.newProxyInstance(
                NobodyAsks.class.getClassLoader(), new Class<?>[] {RecordAccess.class}, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
        var troubles = new Troubles("here", () -> Instant.EPOCH, () -> 0, NOPLogger.NOP_LOGGER);
        return new ReleaseRequests(loop, callbacks, new Requests(loop, Duration.ofSeconds(1)), none, troubles, "test");
    }
}
