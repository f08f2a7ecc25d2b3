package io.baton.tck.mutation;

import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;

/** Runs simulations on copies of Baton's classes. */
final class Copies {

    private Copies() {}

    /**
     * Creates a simulation on copies of all Baton classes.
     *
     * @param changed the changed classes, by full name
     */
    @SuppressWarnings("unchecked")
    static LongConsumer of(
            Class<? extends ObjLongConsumer<String>> simulations, String kind, Map<String, byte[]> changed) {
        try {
            var loader = new CopyLoader(simulations.getClassLoader(), changed);
            Constructor<?> made = loader.loadClass(simulations.getName()).getDeclaredConstructor();
            made.setAccessible(true);
            var copy = (ObjLongConsumer<String>) made.newInstance();
            return seed -> copy.accept(kind, seed);
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The project's root. Tests run in a module's directory, or in the root itself. */
    static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve("coordination-core/src/main/java"))) {
                return at;
            }
        }
        throw new IllegalStateException(
                "the sources are not above " + Path.of("").toAbsolutePath());
    }
}
