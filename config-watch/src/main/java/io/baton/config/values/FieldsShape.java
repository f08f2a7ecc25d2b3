package io.baton.config.values;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A record, or a class with a constructor without arguments. */
final class FieldsShape implements Shape {

    /**
     * One of its values.
     *
     * @param byDefault the annotated default; null if there is none
     * @param nullable whether it may be absent
     * @param sensitive whether it is secret
     */
    record Field(String name, Shape shape, @Nullable DocumentTree byDefault, boolean nullable, boolean sensitive) {}

    /** Creates the object from its values by name. */
    interface Maker {
        Object make(Map<String, @Nullable Object> values) throws ReflectiveOperationException;

        /** Returns a field's value if no layer has one; null if a value is required. */
        @Nullable
        Object initial(String field);
    }

    private final Class<?> type;
    private final Set<String> canonical = new HashSet<>();
    private List<Field> fields = List.of();
    private @Nullable Maker maker;
    private volatile boolean recursive;

    FieldsShape(Class<?> type) {
        this.type = type;
    }

    /** Follows the constructor, because a type may contain itself. */
    void complete(List<Field> all, Maker made) {
        fields = all;
        maker = made;
        all.forEach(field -> canonical.add(KeyNames.canonical(field.name())));
    }

    @Override
    public @Nullable Object read(LayeredValue at, Reading reading) {
        LayeredValue objects = reading.objects(at);
        if (objects == null) {
            return null;
        }
        reading.unknown(objects, fields.stream().map(Field::name).toList(), canonical);
        return make(objects, reading);
    }

    @Override
    public @Nullable Object byDefaults(LayeredValue at, Reading reading) {
        if (!reading.enterDefaults(this)) {
            return null;
        }
        try {
            return make(LayeredValue.exactly(at.path(), List.of()), reading);
        } finally {
            reading.leaveDefaults(this);
        }
    }

    private @Nullable Object make(LayeredValue at, Reading reading) {
        int before = reading.problems();
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (Field field : fields) {
            values.put(field.name(), value(field, at.relaxed(field.name()), reading));
        }
        return reading.problems() > before ? null : make(at, values, reading);
    }

    private @Nullable Object value(Field field, LayeredValue at, Reading reading) {
        int before = reading.problems();
        Object said = field.shape().read(at, reading);
        if (said == null && reading.problems() == before && field.byDefault() != null) {
            said = field.shape().read(LayeredValue.of(at.path(), List.of(field.byDefault())), reading);
        }
        if (said != null || reading.problems() > before || made().initial(field.name()) != null || field.nullable()) {
            return said;
        }
        Object byDefaults = field.shape().byDefaults(at, reading);
        if (byDefaults == null && reading.problems() == before) {
            reading.missing(at);
        }
        return byDefaults;
    }

    private Maker made() {
        if (maker == null) {
            throw new IllegalStateException(type + " is not complete");
        }
        return maker;
    }

    private @Nullable Object make(LayeredValue at, Map<String, @Nullable Object> values, Reading reading) {
        try {
            return made().make(new HashMap<>(values));
        } catch (Throwable refused) {
            Throwable cause = refused.getCause() == null ? refused : refused.getCause();
            reading.refusedByType(at, type, cause, reading.secretWithin(at) || holdsSecrets());
            return null;
        }
    }

    private boolean holdsSecrets() {
        Set<String> found = new HashSet<>();
        secrets("", found, new HashSet<>());
        return !found.isEmpty();
    }

    /** Also handles a type that contains itself, at any depth. */
    @Override
    public void secrets(String path, Collection<String> found, Collection<Shape> within) {
        if (within.contains(this)) {
            recursive = true;
            return;
        }
        within.add(this);
        Set<String> mine = new HashSet<>();
        for (Field field : fields) {
            String below = KeyNames.join(path, field.name());
            if (field.sensitive()) {
                mine.add(below);
            } else {
                field.shape().secrets(below, mine, within);
            }
        }
        within.remove(this);
        found.addAll(mine);
        if (recursive) {
            mine.forEach(below ->
                    found.add(KeyNames.join(path, "*." + below.substring(path.isEmpty() ? 0 : path.length() + 1))));
        }
    }
}
