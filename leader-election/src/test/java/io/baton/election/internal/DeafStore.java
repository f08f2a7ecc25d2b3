package io.baton.election.internal;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.spi.Session;
import io.baton.spi.Store;
import io.baton.spi.TreeListener;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;

/** A store whose observers of one tree are told what is there at first, and never of a change. */
final class DeafStore {

    private DeafStore() {}

    static Store to(String tree, Store store) {
        return wrapped(Store.class, store, (method, arguments) -> {
            Object answer = call(store, method, arguments);
            return answer instanceof Session session ? deaf(tree, session) : answer;
        });
    }

    private static Session deaf(String tree, Session session) {
        return wrapped(Session.class, session, (method, arguments) -> {
            if (method.getName().equals("observe") && tree.equals(arguments[0])) {
                return session.observe(tree, new FirstOnly((TreeListener) arguments[1]));
            }
            return call(session, method, arguments);
        });
    }

    private record FirstOnly(TreeListener to) implements TreeListener {

        @Override
        public void snapshot(List<Item> all, Position at) {
            to.snapshot(all, at);
        }

        @Override
        public void changed(List<Item> put, List<RecordKey> gone, long revision) {}
    }

    private interface Handler {
        Object called(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T wrapped(Class<T> type, T as, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getDeclaringClass() == Object.class
                        ? call(as, method, arguments)
                        : handler.called(method, arguments)));
    }

    private static Object call(Object on, Method method, Object[] arguments) throws Throwable {
        try {
            method.setAccessible(true);
            return method.invoke(on, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
