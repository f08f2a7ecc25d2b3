package io.baton.config.values;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What one source says of one path, and of those below it. */
interface Node {

    /** What it says of the path itself. */
    @Nullable
    Value value();

    /** Whether it says that there is an object, be it an empty one. */
    boolean object();

    /** What is below, as it is spelled. */
    Collection<String> names();

    /** What is below, by its exact name. */
    @Nullable
    Node child(String name);

    /** Which names below are this one but for case, {@code -} and {@code _}. */
    Collection<String> spellings(String canonical);

    Origin origin();

    /** What the same source says of the same path in another way, as in a document beside single keys; weaker than this. */
    default @Nullable Node document() {
        return value() instanceof Value.Scalar scalar
                        && scalar.text().stripLeading().startsWith("{")
                        && scalar.loose()
                ? scalar.structure()
                : null;
    }
}
