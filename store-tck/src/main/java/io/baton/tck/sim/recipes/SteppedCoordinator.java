package io.baton.tck.sim.recipes;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.MultiLock;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.internal.lock.DefaultMultiLock;
import io.baton.spi.Loop;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * The coordinator of a simulated process, for multi-locks alone. They are Baton's own, with the locks in the
 * coordinator's order. Where they wait for one of them, a {@link BlockingCall} waits: each lock is acquired without a
 * thread, and given up when the time for it is over.
 */
final class SteppedCoordinator {

    /** As long as an acquisition without waiting may take to find out that a lock is taken. */
    private static final Duration AT_ONCE = Duration.ofMillis(300);

    private final CoordinatorRun.Member member;

    private SteppedCoordinator(CoordinatorRun.Member member) {
        this.member = member;
    }

    /** Returns the coordinator of this process. */
    static Coordinator of(CoordinatorRun.Member member) {
        var its = new SteppedCoordinator(member);
        return proxy(Coordinator.class, (method, args) -> switch (method) {
            case "lock" -> its.lock((String) args[0]);
            case "multiLock" -> its.multiLock(names(args[0]));
            default -> throw new UnsupportedOperationException(method);
        });
    }

    /** What a proxy does when this method is called. */
    private interface Calls {
        Object call(String method, Object[] args) throws InterruptedException;
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, args) -> calls.call(method.getName(), args == null ? new Object[0] : args)));
    }

    @SuppressWarnings("unchecked")
    private static Collection<String> names(Object arg) {
        return (Collection<String>) arg;
    }

    private MultiLock multiLock(Collection<String> names) {
        List<DistributedLock> inOrder =
                member.baton.multiLock(names).names().stream().map(this::lock).toList();
        // A release is not waited for, as that would take real time.
        return new DefaultMultiLock(inOrder, member.thread::nanoTime, Duration.ZERO);
    }

    private DistributedLock lock(String name) {
        DistributedLock lock = member.baton.lock(name);
        return proxy(DistributedLock.class, (method, args) -> switch (method) {
            case "name" -> lock.name();
            case "acquireAsync" -> lock.acquireAsync();
            case "acquire" -> waitFor(lock.acquireAsync());
            case "tryAcquire" -> tryAcquire(lock, args.length == 0 ? AT_ONCE : (Duration) args[0]);
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private Optional<Hold> tryAcquire(DistributedLock lock, Duration limit) throws InterruptedException {
        CompletableFuture<Hold> hold = lock.acquireAsync();
        Loop.Timer timer = member.thread.after(limit, () -> hold.cancel(false));
        try {
            return Optional.of(waitFor(hold));
        } catch (CancellationException timeOver) {
            if (member.baton.state() != SessionState.CONNECTED) {
                throw new StoreUnavailableException("the store did not answer within " + limit);
            }
            return Optional.empty();
        } finally {
            timer.cancel();
        }
    }

    /** Of an interrupt and a grant at once, the grant counts. */
    private static Hold waitFor(CompletableFuture<Hold> hold) throws InterruptedException {
        try {
            return BlockingCall.await(hold);
        } catch (InterruptedException interrupted) {
            if (hold.cancel(false) || hold.isCompletedExceptionally()) {
                throw interrupted;
            }
            return hold.join();
        }
    }
}
