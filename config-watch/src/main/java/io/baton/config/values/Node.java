package io.baton.config.values;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The contents of one source at one path and below. */
interface Node {

    /** Returns the value of the path itself. */
    @Nullable
    Value value();

    /** Returns whether the source has an object there, even an empty one. */
    boolean object();

    /** Returns the names below, as spelled. */
    Collection<String> names();

    /** Returns the child with exactly this name. */
    @Nullable
    Node child(String name);

    /** Returns the names below that match this one, regardless of case, {@code -} and {@code _}. */
    Collection<String> spellings(String canonical);

    Origin origin();

    /** Returns the same source's document at this path, beside single keys; weaker than this node. */
    default @Nullable Node document() {
        return value() instanceof Value.Scalar scalar
                        && scalar.text().stripLeading().startsWith("{")
                        && scalar.loose()
                ? scalar.structure()
                : null;
    }
}
