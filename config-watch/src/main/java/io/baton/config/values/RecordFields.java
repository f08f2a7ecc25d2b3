package io.baton.config.values;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates records. */
final class RecordFields {

    private RecordFields() {}

    static void complete(FieldsShape shape, Class<?> type, Shapes shapes) {
        RecordComponent[] components = type.getRecordComponents();
        Constructor<?> constructor = constructor(type, components);
        var fields = Arrays.stream(components)
                .map(component -> shapes.field(
                        type,
                        component.getName(),
                        component.getGenericType(),
                        Shapes.present(component, component.getAnnotatedType())));
        shape.complete(Shapes.distinct(type, fields), new Made(constructor, components));
    }

    private static Constructor<?> constructor(Class<?> type, RecordComponent[] components) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            if (!constructor.trySetAccessible()) {
                throw Shapes.closed(type);
            }
            return constructor;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException("a record has its canonical constructor", impossible);
        }
    }

    private record Made(Constructor<?> constructor, RecordComponent[] components) implements FieldsShape.Maker {

        @Override
        public Object make(Map<String, @Nullable Object> values) throws ReflectiveOperationException {
            Object[] arguments = new Object[components.length];
            for (int index = 0; index < arguments.length; index++) {
                arguments[index] = values.get(components[index].getName());
            }
            return constructor.newInstance(arguments);
        }

        @Override
        public @Nullable Object initial(String field) {
            return null;
        }
    }
}
