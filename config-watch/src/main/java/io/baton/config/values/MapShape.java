package io.baton.config.values;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map, merged from all layers. Its names are data: each spelling is a name of its own. If values are single texts, a
 * name may have dots: {@code levels.org.example} is the entry {@code org.example} of {@code levels}.
 *
 * @param key the shape of the names
 * @param item the shape of the values
 */
record MapShape(ScalarShape key, Shape item) implements Shape {

    @Override
    public @Nullable Object read(LayeredValue at, Reading reading) {
        LayeredValue objects = reading.objects(at);
        if (objects == null) {
            return null;
        }
        int before = reading.problems();
        Map<Object, Object> entries = new LinkedHashMap<>();
        collect(objects, "", entries, reading);
        return reading.problems() > before ? null : Collections.unmodifiableMap(entries);
    }

    private void collect(LayeredValue at, String begin, Map<Object, Object> entries, Reading reading) {
        at.children(true).forEach((name, child) -> {
            if (item instanceof ScalarShape) {
                if (Effective.value(child) != null) {
                    entry(begin + name, child, entries, reading);
                }
                collect(child, begin + name + ".", entries, reading);
            } else {
                entry(begin + name, child, entries, reading);
            }
        });
    }

    private void entry(String name, LayeredValue at, Map<Object, Object> entries, Reading reading) {
        Object value = item.read(at, reading);
        if (value == null) {
            return;
        }
        Value.Scalar text = Value.Scalar.loose(name, at.nodes().get(0).origin());
        Object entryKey = key.parsed(text);
        if (entryKey == null) {
            reading.problem(
                    at.path(), Reading.named(at) + ": its name must be " + key.expected() + " " + text.origin());
        } else if (entries.putIfAbsent(entryKey, value) != null) {
            reading.problem(at.path(), Reading.named(at) + " is there twice, in two spellings " + text.origin());
        }
    }

    @Override
    public void secrets(String path, Collection<String> found, Collection<Shape> within) {
        if (item.secret()) {
            found.add(path);
        } else {
            item.secrets(path + ".*", found, within);
        }
    }
}
