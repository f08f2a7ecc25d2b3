package io.baton.mutations;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Exchanges classes in this JVM, which began with it as its agent. */
public final class Exchange {

    private static final Map<String, byte[]> LATER = new ConcurrentHashMap<>();

    private static volatile @Nullable Instrumentation instrumentation;

    private Exchange() {}

    /** Called by the JVM. */
    public static void premain(String arguments, Instrumentation ours) {
        instrumentation = ours;
        ours.addTransformer(new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    ClassLoader loader, String name, Class<?> was, ProtectionDomain domain, byte[] bytes) {
                return was == null && name != null ? LATER.get(name.replace('/', '.')) : null;
            }
        });
    }

    /** This class, which has not been loaded yet, will be loaded so. */
    static void whenLoaded(String type, byte[] bytes) {
        LATER.put(type, bytes);
    }

    /** Whether this class is as these bytes say from now on; not if they are no class, or one of another shape. */
    static boolean now(String type, byte[] bytes) {
        Instrumentation ours = instrumentation;
        if (ours == null) {
            throw new IllegalStateException("this JVM has not begun with the agent");
        }
        try {
            ours.redefineClasses(new ClassDefinition(Class.forName(type), bytes));
            return true;
        } catch (ClassNotFoundException
                | UnmodifiableClassException
                | LinkageError
                | UnsupportedOperationException refused) {
            System.err.println(type + ": " + refused);
            return false;
        }
    }
}
