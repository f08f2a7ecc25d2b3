package io.baton.tck.sim.election;

import io.baton.election.ActiveStandby;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a node whose hooks run on simulated threads. The interface {@code Hands} for that is not public, so reflection
 * implements it.
 */
final class NodeBuilding {

    private static final String HANDS = "io.baton.election.internal.standby.HookExecutor";

    private NodeBuilding() {}

    static ActiveStandby build(ActiveStandby.Builder builder, SimHands hands) {
        try {
            Class<?> type = Class.forName(HANDS);
            Class<?> job = Class.forName(HANDS + "$Job");
            Method build = ActiveStandby.Builder.class.getDeclaredMethod("build", type);
            build.setAccessible(true);
            Object proxy = proxy(type, (self, method, arguments) -> called(hands, job, self, method, arguments));
            return (ActiveStandby) build.invoke(builder, proxy);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(thrown);
        } catch (ReflectiveOperationException changed) {
            throw new IllegalStateException(changed);
        }
    }

    private static Object called(SimHands hands, Class<?> job, Object self, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "begin" -> {
                SimHands.Job begun = hands.begin((String) arguments[0], task(arguments[1]), done(arguments[2]));
                yield proxy(job, (same, called, none) -> called(begun, same, called, none));
            }
            case "leave" -> hands.leave((String) arguments[0], task(arguments[1]));
            default -> ofObject(self, method, arguments);
        };
    }

    private static @Nullable Object called(SimHands.Job job, Object self, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "interrupt" -> {
                job.interrupt();
                yield null;
            }
            case "thread" -> Optional.empty();
            default -> ofObject(self, method, arguments);
        };
    }

    private static Callable<?> task(Object task) {
        if (task instanceof Runnable runnable) {
            return () -> {
                runnable.run();
                return null;
            };
        }
        return () -> {
            try {
                Method run = Class.forName(HANDS + "$Task").getMethod("run");
                run.setAccessible(true);
                return run.invoke(task);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause() instanceof Exception known ? known : thrown;
            }
        };
    }

    @SuppressWarnings("unchecked")
    private static Consumer<@Nullable Throwable> done(Object done) {
        return (Consumer<@Nullable Throwable>) done;
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }

    private static Object ofObject(Object self, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "simulated";
            default -> throw new IllegalStateException("not known: " + method);
        };
    }
}
