package io.baton.internal;

/** Throws checked exceptions past the compiler, as code in Kotlin, Scala or with Lombok does. */
public final class Sneaky {

    private Sneaky() {}

    /** Throws it. */
    public static void raise(Throwable any) {
        Sneaky.<RuntimeException>throwUnchecked(any);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void throwUnchecked(Throwable any) throws T {
        throw (T) any;
    }
}
