package io.baton.election;

import io.baton.CoordinationException;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.election.internal.StoreProxy;
import io.baton.spi.Session;
import io.baton.spi.Store;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A store that refuses single reads and writes of records, or to list lines, while a test says so. */
final class RefusingStore {

    private final Store store;
    private final Supplier<CoordinationException> why;
    Predicate<RecordKey> reads = key -> false;
    Predicate<Op> writes = op -> false;

    /** Whether it refuses to list lines. */
    boolean lists;

    /** Whether what it refuses to write is written, so that only the answer is another one. */
    boolean applies;

    /** How many requests it has refused. */
    int refused;

    RefusingStore(Store store, Supplier<CoordinationException> why) {
        this.store = store;
        this.why = why;
    }

    /** The store as the clients see it that it refuses. */
    Store store() {
        return StoreProxy.wrapped(Store.class, store, (method, arguments) -> {
            Object answer = StoreProxy.call(store, method, arguments);
            return answer instanceof Session session ? refusing(session) : answer;
        });
    }

    private Session refusing(Session session) {
        return StoreProxy.wrapped(Session.class, session, (method, arguments) -> {
            if (refuses(method, arguments)) {
                refused++;
                if (applies) {
                    StoreProxy.call(session, method, arguments);
                }
                return CompletableFuture.failedFuture(why.get());
            }
            return StoreProxy.call(session, method, arguments);
        });
    }

    private boolean refuses(Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "get", "getValue" -> reads.test((RecordKey) arguments[0]);
            case "peers" -> lists;
            case "transact", "transactAndTell" ->
                ((Collection<?>) arguments[1]).stream().anyMatch(op -> writes.test((Op) op));
            default -> false;
        };
    }
}
