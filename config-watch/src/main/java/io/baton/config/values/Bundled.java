package io.baton.config.values;

import io.baton.config.ConfigException;
import io.baton.config.ConfigValue;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;

/** The layers below the store, which a service brings along. Immutable. */
public final class Bundled {

    private Bundled() {}

    /** None yet. */
    public static Builder builder() {
        return new Builder();
    }

    /** With these values of the store above. */
    public Layers with(SortedMap<String, ConfigValue> store) {
        throw new UnsupportedOperationException(store.toString());
    }

    /** The same; documents that were parsed for the former layers and are the same still are not parsed again. */
    public Layers with(SortedMap<String, ConfigValue> store, Layers former) {
        throw new UnsupportedOperationException(store.toString() + former);
    }

    /** The same for whom knows which keys differ from the former layers: then keys are not compared. */
    public Layers with(SortedMap<String, ConfigValue> store, Layers former, Collection<String> changedKeys) {
        throw new UnsupportedOperationException(store.toString() + former + changedKeys);
    }

    /** Collects layers. */
    public static final class Builder {

        private Builder() {}

        /** Values by path; a later call overrides an earlier one. */
        public Builder defaults(Map<String, String> values) {
            throw new UnsupportedOperationException(values.toString());
        }

        /** A document on the class path. */
        public Builder defaults(ClassLoader loader, String resource) {
            throw new UnsupportedOperationException(loader + resource);
        }

        /** A file. */
        public Builder file(Path document) {
            throw new UnsupportedOperationException(document.toString());
        }

        /** Variables whose name begins so. */
        public Builder environment(String prefix, Map<String, String> variables) {
            throw new UnsupportedOperationException(prefix + variables);
        }

        /**
         * Reads them.
         *
         * @throws ConfigException if something cannot be read or parsed
         */
        public Bundled build() {
            throw new UnsupportedOperationException();
        }
    }
}
