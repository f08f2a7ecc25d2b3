package io.baton.config.values;

import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A value that may be absent. */
record OptionalShape(Shape item) implements Shape {

    @Override
    public @Nullable Object read(LayeredValue at, Reading reading) {
        Object value = item.read(at, reading);
        return value == null ? null : Optional.of(value);
    }

    @Override
    public Object byDefaults(LayeredValue at, Reading reading) {
        return Optional.empty();
    }

    @Override
    public boolean secret() {
        return item.secret();
    }

    @Override
    public void secrets(String path, Collection<String> found, Collection<Shape> within) {
        item.secrets(path, found, within);
    }
}
