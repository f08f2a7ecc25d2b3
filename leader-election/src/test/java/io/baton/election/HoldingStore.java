package io.baton.election;

import io.baton.Op;
import io.baton.election.internal.StoreProxy;
import io.baton.spi.Session;
import io.baton.spi.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** A store that writes single records only once a test lets it. */
final class HoldingStore {

    private final Store store;
    private final Predicate<Op> writes;
    private final List<Runnable> held = new ArrayList<>();

    /** Holds back each write with such a part. */
    HoldingStore(Store store, Predicate<Op> writes) {
        this.store = store;
        this.writes = writes;
    }

    /** The store as the clients see it whose writes it holds back. */
    Store store() {
        return StoreProxy.wrapped(Store.class, store, (method, arguments) -> {
            Object answer = StoreProxy.call(store, method, arguments);
            return answer instanceof Session session ? holding(session) : answer;
        });
    }

    /** Writes what was held back, in order. */
    void release() {
        held.forEach(Runnable::run);
        held.clear();
    }

    private Session holding(Session session) {
        return StoreProxy.wrapped(Session.class, session, (method, arguments) -> {
            boolean holds = method.getName().equals("transact")
                    && ((Collection<?>) arguments[1]).stream().anyMatch(op -> writes.test((Op) op));
            if (!holds) {
                return StoreProxy.call(session, method, arguments);
            }
            CompletableFuture<Object> answer = new CompletableFuture<>();
            held.add(() -> {
                try {
                    ((CompletionStage<?>) StoreProxy.call(session, method, arguments))
                            .whenComplete((value, failure) -> {
                                if (failure == null) {
                                    answer.complete(value);
                                } else {
                                    answer.completeExceptionally(failure);
                                }
                            });
                } catch (Throwable thrown) {
                    answer.completeExceptionally(thrown);
                }
            });
            return answer;
        });
    }
}
