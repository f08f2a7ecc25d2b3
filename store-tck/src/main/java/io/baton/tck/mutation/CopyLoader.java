package io.baton.tck.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads copies of Baton's classes, some of them changed, which see only each other. It copies everything below
 * {@code io.baton}, tests included, since a class that uses a changed one must be a copy, too.
 */
final class CopyLoader extends ClassLoader {

    private static final String OURS = "io.baton.";

    /** Unchanged class files, cached, as each bug takes another loader. */
    private static final Map<String, byte[]> ORIGINALS = new ConcurrentHashMap<>();

    private final Map<String, byte[]> changed;

    CopyLoader(ClassLoader originals, Map<String, byte[]> changed) {
        super(originals);
        this.changed = changed;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? copy(name) : loaded;
        }
    }

    private Class<?> copy(String name) throws ClassNotFoundException {
        byte[] bytes = changed.get(name);
        if (bytes == null) {
            bytes = ORIGINALS.get(name);
        }
        if (bytes == null) {
            bytes = original(name);
            ORIGINALS.put(name, bytes);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] original(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
