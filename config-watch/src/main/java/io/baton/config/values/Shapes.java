package io.baton.config.values;

import io.baton.config.ConfigException;
import io.baton.config.DefaultValue;
import io.baton.config.Sensitive;
import io.baton.config.UnknownFields;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Determines the shapes of types. */
final class Shapes {

    private final Converters converters;
    private final Map<Class<?>, FieldsShape> known = new HashMap<>();

    Shapes(Converters converters) {
        this.converters = converters;
    }

    /**
     * Returns the shape of a type.
     *
     * @param where where it is needed, for people
     * @throws ConfigException if there is none
     */
    Shape of(Type type, String where) {
        if (type instanceof Class<?> simple) {
            return ofClass(simple, where);
        }
        if (type instanceof WildcardType wildcard) {
            return of(wildcard.getUpperBounds()[0], where);
        }
        if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
            return ofGeneric(raw, generic.getActualTypeArguments(), where);
        }
        throw unbindable(type, where);
    }

    private Shape ofGeneric(Class<?> raw, Type[] arguments, String where) {
        if (raw == List.class || raw == Collection.class) {
            return ListShape.list(of(arguments[0], where));
        }
        if (raw == Set.class) {
            return ListShape.set(of(arguments[0], where));
        }
        if (raw == Optional.class) {
            return new OptionalShape(of(arguments[0], where));
        }
        if (raw == Map.class && of(arguments[0], where) instanceof ScalarShape key) {
            return new MapShape(key, of(arguments[1], where));
        }
        throw unbindable(raw, where);
    }

    private Shape ofClass(Class<?> type, String where) {
        ScalarShape own = converters.of(type);
        ScalarShape scalar = own != null ? own : Scalars.of(type);
        if (scalar != null) {
            return scalar;
        }
        FieldsShape fields = known.get(type);
        if (fields != null) {
            return fields;
        }
        boolean concrete = !type.isInterface() && !Modifier.isAbstract(type.getModifiers()) && !type.isArray();
        if (!concrete || type.isPrimitive() || type.getName().startsWith("java")) {
            throw unbindable(type, where);
        }
        FieldsShape shape = new FieldsShape(type);
        known.put(type, shape);
        if (type.isRecord()) {
            RecordFields.complete(shape, type, this);
        } else {
            BeanFields.complete(shape, type, this);
        }
        return shape;
    }

    private static ConfigException unbindable(Type type, String where) {
        return new ConfigException("nothing can be bound to " + type.getTypeName() + " (" + where + ")");
    }

    /** Returns one of a type's values, from all its annotated elements. */
    FieldsShape.Field field(Class<?> owner, String name, Type type, List<? extends AnnotatedElement> annotated) {
        String where = owner.getSimpleName() + "." + name;
        String byDefault = null;
        boolean nullable = false;
        boolean sensitive = false;
        for (AnnotatedElement element : annotated) {
            DefaultValue annotation = element.getAnnotation(DefaultValue.class);
            byDefault = annotation == null ? byDefault : annotation.value();
            sensitive |= element.isAnnotationPresent(Sensitive.class);
            nullable |= nullable(element);
        }
        Shape shape = of(type, where);
        DocumentTree tree = byDefault == null ? null : byDefault(byDefault, shape, where);
        return new FieldsShape.Field(name, shape, tree, nullable, sensitive);
    }

    private static DocumentTree byDefault(String text, Shape shape, String where) {
        DocumentTree tree = Documents.annotation(text, Origin.of("defaults", "@DefaultValue of " + where));
        if (!(shape instanceof FieldsShape)) {
            Reading reading = new Reading(new SecretPaths(List.of()), UnknownFields.REJECT, (path, reason) -> {});
            Object value = shape.read(LayeredValue.of(where, List.of(tree)), reading);
            if (value == null || reading.problems() > 0) {
                throw new ConfigException(reading.reasons());
            }
        }
        return tree;
    }

    /** Accepts any annotation of that name. */
    private static boolean nullable(AnnotatedElement element) {
        return Arrays.stream(element.getAnnotations())
                .anyMatch(annotation ->
                        annotation.annotationType().getSimpleName().equals("Nullable"));
    }

    /** Checks that names are distinct. */
    static List<FieldsShape.Field> distinct(Class<?> type, Stream<FieldsShape.Field> fields) {
        List<FieldsShape.Field> all = new ArrayList<>();
        Set<String> canonical = new HashSet<>();
        fields.forEach(field -> {
            if (!canonical.add(KeyNames.canonical(field.name()))) {
                throw new ConfigException(type.getSimpleName()
                        + " has two names that differ only in how they are spelled: " + field.name());
            }
            all.add(field);
        });
        return all;
    }

    /** Returns the elements that are not null. */
    static List<AnnotatedElement> present(@Nullable AnnotatedElement... elements) {
        List<AnnotatedElement> present = new ArrayList<>();
        for (AnnotatedElement element : elements) {
            if (element != null) {
                present.add(element);
            }
        }
        return present;
    }

    static ConfigException closed(Class<?> type) {
        return new ConfigException(
                type.getName() + " cannot be made: its package must be open to the module io.baton.config");
    }
}
