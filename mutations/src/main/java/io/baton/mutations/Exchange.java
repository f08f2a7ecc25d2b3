package io.baton.mutations;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import org.jspecify.annotations.Nullable;

/** Exchanges classes in this JVM, which began with it as its agent. */
public final class Exchange {

    private static volatile @Nullable Instrumentation instrumentation;

    private Exchange() {}

    /** Called by the JVM. */
    public static void premain(String arguments, Instrumentation ours) {
        instrumentation = ours;
    }

    /** Whether this class is as these bytes say from now on; not if they are no class, or one of another shape. */
    static boolean of(String type, byte[] bytes) {
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
