package io.baton.tck.mutation;

import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Makes copies of Baton's classes. */
final class Copies {

    private Copies() {}

    /**
     * Creates an object on copies of all Baton classes.
     *
     * @param type has a constructor without parameters
     * @param changed the changed classes, by full name
     * @param <T> a type of the JDK, which is not copied
     */
    @SuppressWarnings("unchecked")
    static <T> T of(Class<? extends T> type, Map<String, byte[]> changed) {
        try {
            var loader = new CopyLoader(type.getClassLoader(), changed);
            Constructor<?> made = loader.loadClass(type.getName()).getDeclaredConstructor();
            made.setAccessible(true);
            return (T) made.newInstance();
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
