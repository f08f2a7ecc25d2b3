package io.baton.testkit.sim;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds what an object of Baton still keeps when no operation is under way.
 *
 * <p>The search follows fields to all objects of Baton's own classes. It checks each collection, each map and each
 * counter of operations under way, so new parts are covered without being named here. The caller allows exceptions by
 * class and field, with the most elements that a field may keep. Lambdas and simulated parts are skipped.
 */
public final class Leftovers {

    /** Primitive fields that count operations under way; other primitive fields are skipped. */
    private static final Set<String> COUNTERS =
            Set.of("proofUsers", "underWay", "unanswered", "running", "joinsUnderWay");

    private final Map<String, Integer> bounds;
    private final List<String> found = new ArrayList<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final ArrayDeque<Object> next = new ArrayDeque<>();

    private static final Map<Class<?>, List<Field>> FIELDS = Collections.synchronizedMap(new HashMap<>());

    private Leftovers(Map<String, Integer> bounds) {
        this.bounds = bounds;
    }

    /**
     * Returns all fields that keep more than they may, with their sizes.
     *
     * @param root the object to start from
     * @param bounds the most elements by class and field, as {@code "PredecessorWatchCache.lines"}; 0 for all others. A
     *     class without a field is skipped.
     */
    public static List<String> of(Object root, Map<String, Integer> bounds) {
        var leftovers = new Leftovers(bounds);
        leftovers.visit(root);
        while (!leftovers.next.isEmpty()) {
            leftovers.look(leftovers.next.remove());
        }
        return leftovers.found;
    }

    private void look(Object object) {
        for (Field field : fields(object.getClass())) {
            Object value = value(field, object);
            String name = object.getClass().getSimpleName() + "." + field.getName();
            if (value instanceof Collection<?> elements) {
                count(name, elements.size());
                elements.forEach(this::visit);
            } else if (value instanceof Map<?, ?> map) {
                count(name, map.size());
                map.keySet().forEach(this::visit);
                map.values().forEach(this::visit);
            } else if (value instanceof Integer counter) {
                count(name, counter);
            } else if (value instanceof AtomicInteger counter) {
                count(name, counter.get());
            } else {
                visit(value);
            }
        }
    }

    private void count(String name, int size) {
        if (size > bounds.getOrDefault(name, 0)) {
            found.add(name + "=" + size);
        }
    }

    private void visit(@Nullable Object value) {
        if (value instanceof Collection<?> elements) {
            elements.forEach(this::visit);
        } else if (value != null && isOurs(value.getClass()) && seen.add(value)) {
            next.add(value);
        }
    }

    private boolean isOurs(Class<?> type) {
        String name = type.getName();
        return name.startsWith("io.baton.")
                && !type.isHidden()
                && !Enum.class.isAssignableFrom(type)
                && !Throwable.class.isAssignableFrom(type)
                && !bounds.containsKey(type.getSimpleName())
                && !name.startsWith("io.baton.testkit.")
                && !name.startsWith("io.baton.tck.")
                && !name.startsWith("Sim", name.lastIndexOf('.') + 1)
                && !name.contains("Simulation");
    }

    private static List<Field> fields(Class<?> type) {
        return FIELDS.computeIfAbsent(type, any -> {
            var fields = new ArrayList<Field>();
            for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
                for (Field field : at.getDeclaredFields()) {
                    boolean counts = !field.getType().isPrimitive() || COUNTERS.contains(field.getName());
                    if (!Modifier.isStatic(field.getModifiers()) && counts) {
                        field.setAccessible(true);
                        fields.add(field);
                    }
                }
            }
            return fields;
        });
    }

    private static @Nullable Object value(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
