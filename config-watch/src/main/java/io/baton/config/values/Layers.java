package io.baton.config.values;

import io.baton.config.Explanation;
import io.baton.config.KeyChange;
import java.util.List;
import java.util.Optional;

/**
 * All layers together, at one state of the store. Immutable, for any thread; what is asked for is parsed when it is asked for,
 * once.
 */
public final class Layers {

    Layers() {}

    /**
     * The effective text of a key, or of a path within a document.
     *
     * @throws Unbindable if it is in a document that is malformed
     */
    public Optional<String> text(String path) {
        throw new UnsupportedOperationException(path);
    }

    /** Where the value of a path has come from. Does not throw: of a malformed document it says that. */
    public Explanation explain(String path, SecretPaths secrets) {
        throw new UnsupportedOperationException(path + secrets);
    }

    /** Which effective values at this path and below differ from former ones, by path. */
    public List<KeyChange> changes(String path, Layers before, SecretPaths secrets) {
        throw new UnsupportedOperationException(path + before + secrets);
    }
}
