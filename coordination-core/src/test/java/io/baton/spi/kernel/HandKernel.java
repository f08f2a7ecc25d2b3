package io.baton.spi.kernel;

import io.baton.internal.HandLoop;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.kernel.StepWire.Reply;
import java.lang.reflect.Proxy;
import java.time.Duration;

/** A session of the kernel on a loop that a test moves on by hand, and on a wire whose calls the test answers. */
public final class HandKernel {

    public static final Duration TTL = Duration.ofSeconds(4);

    /** The wire, as the test makes it. */
    public interface Calls {

        /** The session calls the wire's method of this name with these arguments. */
        void called(String method, Object[] with);
    }

    public final HandLoop loop = new HandLoop();
    public StepWire.Events events;
    public Session session;
    private final StepWire wire;

    public HandKernel(Calls calls) {
        wire = (StepWire) Proxy.newProxyInstance(
                StepWire.class.getClassLoader(), new Class<?>[] {StepWire.class}, (own, method, with) -> {
                    calls.called(method.getName(), with);
                    return null;
                });
    }

    /** Opens the session. */
    public void open(SessionListener listener) {
        open(listener, loop);
    }

    /** Opens the session on another loop. */
    public void open(SessionListener listener, Loop its) {
        session = KernelSession.open(
                (id, ttl, client, on, to) -> {
                    events = to;
                    return wire;
                },
                "session",
                new SessionSpec(TTL, "test"),
                Duration.ofSeconds(2),
                its,
                listener);
    }

    /** Opens the session, and waits for its first contact. */
    public void attach(SessionListener listener) {
        open(listener);
        loop.run();
    }

    /** Answers a call, whose argument the reply is, on the loop. */
    public <T> void answer(Object reply, T with) {
        answer(Duration.ZERO, reply, with);
    }

    /** Answers a call after this time. */
    @SuppressWarnings("unchecked")
    public <T> void answer(Duration late, Object reply, T with) {
        loop.after(late, () -> ((Reply<T>) reply).answered(with));
    }
}
