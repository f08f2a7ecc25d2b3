package io.baton.config.values;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A list or a set, taken whole from the strongest layer that has it. It is a document's list, a text with commas, or
 * names that are consecutive numbers from 0 or 1.
 *
 * @param item the shape of the items
 * @param collected makes the result of the items
 */
record ListShape(Shape item, Function<List<Object>, Object> collected) implements Shape {

    private static final String EXPECTED = "a list";

    static Shape list(Shape item) {
        return new ListShape(item, List::copyOf);
    }

    static Shape set(Shape item) {
        return new ListShape(item, items -> java.util.Collections.unmodifiableSet(new LinkedHashSet<>(items)));
    }

    @Override
    public @Nullable Object read(LayeredValue at, Reading reading) {
        for (Node node : at.nodes()) {
            Value value = node.value();
            if (value instanceof Value.Nothing) {
                return null;
            }
            if (value != null) {
                return read(at, value, reading);
            }
            if (node.object() || (!node.names().isEmpty() && !(node instanceof Variables))) {
                return numbered(at, node, reading);
            }
            if (node instanceof Variables && !numbered(node.names()).isEmpty()) {
                return numbered(at, node, reading);
            }
        }
        return null;
    }

    private @Nullable Object read(LayeredValue at, Value value, Reading reading) {
        if (value instanceof Value.Items items) {
            return items(at, items.items(), reading);
        }
        if (value instanceof Value.Broken broken) {
            reading.problem(broken);
            return null;
        }
        Value.Scalar text = (Value.Scalar) value;
        if (!text.loose()) {
            reading.wrong(at, EXPECTED, "a text", text.origin());
            return null;
        }
        return text.structured() ? structured(at, text, reading) : withCommas(at, text, reading);
    }

    private @Nullable Object structured(LayeredValue at, Value.Scalar text, Reading reading) {
        Value value = text.structure().value();
        if (value instanceof Value.Items items) {
            return items(at, items.items(), reading);
        }
        if (value instanceof Value.Broken broken) {
            reading.problem(broken);
        } else {
            reading.wrong(at, EXPECTED, "an object", text.origin());
        }
        return null;
    }

    private @Nullable Object withCommas(LayeredValue at, Value.Scalar text, Reading reading) {
        if (text.text().isBlank()) {
            return collected.apply(List.of());
        }
        List<Node> items = new ArrayList<>();
        for (String part : text.text().split(",", -1)) {
            if (part.isBlank()) {
                reading.problem(at.path(), Reading.named(at) + " has nothing between two commas " + text.origin());
                return null;
            }
            items.add(DocumentTree.of(Value.Scalar.loose(part.strip(), text.origin())));
        }
        return items(at, items, reading);
    }

    /** Returns names that are consecutive numbers, in order; empty if they are not. */
    private static List<String> numbered(Collection<String> names) {
        for (int begin = 0; begin <= 1; begin++) {
            List<String> numbers = new ArrayList<>();
            for (int next = begin; next < begin + names.size(); next++) {
                numbers.add(Integer.toString(next));
            }
            if (Set.copyOf(names).containsAll(numbers)) {
                return numbers;
            }
        }
        return List.of();
    }

    private @Nullable Object numbered(LayeredValue at, Node node, Reading reading) {
        List<String> numbers = numbered(node.names());
        if (numbers.isEmpty()) {
            reading.wrong(at, EXPECTED, "an object", node.origin());
            return null;
        }
        List<Node> items = new ArrayList<>();
        for (String number : numbers) {
            Node item = node.child(number);
            if (item != null) {
                items.add(item);
            }
        }
        return items(at, items, reading);
    }

    private @Nullable Object items(LayeredValue at, List<? extends Node> items, Reading reading) {
        int before = reading.problems();
        List<Object> values = new ArrayList<>();
        for (int index = 0; index < items.size(); index++) {
            LayeredValue place = LayeredValue.of(KeyNames.item(at.path(), index), List.of(items.get(index)));
            int problems = reading.problems();
            Object value = item.read(place, reading);
            if (value != null) {
                values.add(value);
            } else if (reading.problems() == problems) {
                reading.missing(place);
            }
        }
        return reading.problems() > before ? null : collected.apply(values);
    }

    @Override
    public boolean secret() {
        return item.secret();
    }

    @Override
    public void secrets(String path, Collection<String> found, Collection<Shape> within) {
        if (secret()) {
            found.add(path);
        } else {
            item.secrets(path + ".*", found, within);
        }
    }
}
