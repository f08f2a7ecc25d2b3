package io.baton.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/**
 * Handles the signals that ask a process to end, instead of ending the JVM.
 *
 * <p>Uses reflection: {@code sun.misc.Signal} is in every JDK, but the compiler's warning about it cannot be turned
 * off.
 */
public final class Signals {

    /** A signal, by its name without {@code SIG}, and its number. */
    public record Signal(String name, int number) {}

    private static final List<Signal> ENDING =
            List.of(new Signal("HUP", 1), new Signal("INT", 2), new Signal("TERM", 15));

    private Signals() {}

    /**
     * Passes SIGHUP, SIGINT and SIGTERM to this handler from now on, on a thread of the JVM. A signal that the parent
     * process has set to be ignored, as {@code nohup} does, stays ignored.
     */
    public static void handle(Consumer<Signal> handler) {
        for (Signal signal : ENDING) {
            handle(signal, handler);
        }
    }

    private static void handle(Signal signal, Consumer<Signal> handler) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            var handle = signalType.getMethod("handle", signalType, handlerType);
            Object ours = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(),
                    new Class<?>[] {handlerType},
                    calling(() -> handler.accept(signal)));
            Object number = signalType.getConstructor(String.class).newInstance(signal.name());
            Object before = handle.invoke(null, number, ours);
            Object ignore = handlerType.getField("SIG_IGN").get(null);
            if (ignore.equals(before)) {
                handle.invoke(null, number, ignore);
            }
        } catch (ReflectiveOperationException refused) {
            // This JVM (with -Xrs, say) or system reserves the signal; it then ends the process as usual.
        }
    }

    private static InvocationHandler calling(Runnable task) {
        return (proxy, method, args) -> switch (method.getName()) {
            case "handle" -> {
                task.run();
                yield null;
            }
            case "equals" -> args != null && proxy == args[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "Baton's signal handler";
        };
    }
}
