package io.baton.config.values;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that is one text.
 *
 * @param expected what it must be, for reasons
 * @param parser returns null, or throws, if the text is invalid
 * @param secret whether it is never shown
 */
record ScalarShape(String expected, Function<Value.Scalar, @Nullable Object> parser, boolean secret) implements Shape {

    @Override
    public @Nullable Object read(LayeredValue at, Reading reading) {
        for (Node node : at.nodes()) {
            Value value = node.value();
            if (value instanceof Value.Nothing) {
                return null;
            }
            if (value instanceof Value.Broken broken) {
                reading.problem(broken);
                return null;
            }
            if (value instanceof Value.Scalar scalar) {
                return read(at, scalar, reading);
            }
            if (value instanceof Value.Items) {
                reading.wrong(at, expected, "a list", value.origin());
                return null;
            }
            if (node.object()) {
                reading.wrong(at, expected, "an object", node.origin());
                return null;
            }
        }
        return onlyBelow(at, reading);
    }

    /** The path itself has no value, and anything below it is out of place. */
    private @Nullable Object onlyBelow(LayeredValue at, Reading reading) {
        for (Node node : at.nodes()) {
            if (!(node instanceof Variables) && !node.names().isEmpty()) {
                reading.wrong(at, expected, "an object", node.origin());
                break;
            }
        }
        return null;
    }

    private @Nullable Object read(LayeredValue at, Value.Scalar scalar, Reading reading) {
        Object parsed = parsed(scalar);
        if (parsed == null) {
            reading.wrong(at, expected, scalar);
        }
        return parsed;
    }

    /** Returns null if the text is invalid. */
    @Nullable
    Object parsed(Value.Scalar scalar) {
        try {
            return parser.apply(scalar);
        } catch (Throwable somethingElse) {
            return null; // its message may contain the text
        }
    }
}
