package io.baton.election.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Objects of the store interface of which a test changes single methods. */
public final class StoreProxy {

    /** What a method does instead. */
    public interface Handler {
        Object called(Method method, Object[] arguments) throws Throwable;
    }

    private StoreProxy() {}

    /** The same object with another one's methods. */
    public static <T> T wrapped(Class<T> type, T as, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getDeclaringClass() == Object.class
                        ? call(as, method, arguments)
                        : handler.called(method, arguments)));
    }

    /** Calls the method as it is. */
    public static Object call(Object on, Method method, Object[] arguments) throws Throwable {
        try {
            method.setAccessible(true);
            return method.invoke(on, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
