package io.baton.config.values;

import io.baton.config.ConfigException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates objects of classes with a constructor without arguments, by setters, or else by fields. */
final class BeanFields {

    private BeanFields() {}

    /** A value of such an object: a field, a setter, or both. */
    private static final class Property {

        private final String name;
        private @Nullable Field field;
        private @Nullable Method setter;

        Property(String name) {
            this.name = name;
        }

        Type type() {
            return setter != null ? setter.getGenericParameterTypes()[0] : field().getGenericType();
        }

        private Field field() {
            if (field == null) {
                throw new IllegalStateException(name);
            }
            return field;
        }

        boolean settable() {
            return setter != null || (field != null && !Modifier.isFinal(field.getModifiers()));
        }

        void set(Object owner, Object value) throws ReflectiveOperationException {
            if (setter != null) {
                setter.invoke(owner, value);
            } else {
                field().set(owner, value);
            }
        }
    }

    static void complete(FieldsShape shape, Class<?> type, Shapes shapes) {
        Constructor<?> constructor = constructor(type);
        Map<String, Property> properties = properties(type);
        var fields = properties.values().stream()
                .map(property -> shapes.field(type, property.name, property.type(), annotated(property)));
        shape.complete(Shapes.distinct(type, fields), new Made(constructor, properties));
    }

    private static List<java.lang.reflect.AnnotatedElement> annotated(Property property) {
        Field field = property.field;
        Method setter = property.setter;
        return Shapes.present(
                field,
                field == null ? null : field.getAnnotatedType(),
                setter == null ? null : setter.getParameters()[0],
                setter == null ? null : setter.getAnnotatedParameterTypes()[0]);
    }

    private static Constructor<?> constructor(Class<?> type) {
        try {
            return open(type, type.getDeclaredConstructor());
        } catch (NoSuchMethodException none) {
            throw new ConfigException("nothing can be bound to " + type.getName()
                    + ": it is no record and has no constructor without arguments");
        }
    }

    private static <A extends AccessibleObject> A open(Class<?> type, A member) {
        if (!member.trySetAccessible()) {
            throw Shapes.closed(type);
        }
        return member;
    }

    private static Map<String, Property> properties(Class<?> type) {
        Map<String, Property> properties = new LinkedHashMap<>();
        for (Class<?> each : withSuperclasses(type)) {
            for (Field field : each.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (!Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers) && !field.isSynthetic()) {
                    properties.computeIfAbsent(field.getName(), Property::new).field = open(type, field);
                }
            }
            Arrays.stream(each.getDeclaredMethods())
                    .filter(BeanFields::isSetter)
                    .sorted(Comparator.comparing(Method::toGenericString))
                    .forEach(setter ->
                            properties.computeIfAbsent(named(setter), Property::new).setter = open(type, setter));
        }
        properties.values().removeIf(property -> !property.settable());
        return properties;
    }

    /** The most general first. */
    private static List<Class<?>> withSuperclasses(Class<?> type) {
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            classes.add(0, each);
        }
        return classes;
    }

    private static boolean isSetter(Method method) {
        return method.getName().length() > 3
                && method.getName().startsWith("set")
                && Character.isUpperCase(method.getName().charAt(3))
                && method.getParameterCount() == 1
                && Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !method.isBridge();
    }

    private static String named(Method setter) {
        String name = setter.getName().substring(3);
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    private record Made(Constructor<?> constructor, Map<String, Property> properties) implements FieldsShape.Maker {

        @Override
        public Object make(Map<String, @Nullable Object> values) throws ReflectiveOperationException {
            Object made = constructor.newInstance();
            for (Map.Entry<String, @Nullable Object> value : values.entrySet()) {
                Property property = properties.get(value.getKey());
                if (property != null && value.getValue() != null) {
                    property.set(made, value.getValue());
                }
            }
            return made;
        }

        /** Returns the value after the constructor; null for a property without a field. */
        @Override
        public @Nullable Object initial(String name) {
            Property property = properties.get(name);
            Field field = property == null ? null : property.field;
            try {
                return field == null ? null : field.get(constructor.newInstance());
            } catch (InstantiationException | IllegalAccessException | InvocationTargetException refused) {
                return null;
            }
        }
    }
}
