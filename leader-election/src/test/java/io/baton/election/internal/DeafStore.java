package io.baton.election.internal;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.spi.Session;
import io.baton.spi.Store;
import io.baton.spi.TreeListener;
import java.util.List;

/** A store whose observers of one tree are told what is there at first, and never of a change. */
final class DeafStore {

    private DeafStore() {}

    static Store to(String tree, Store store) {
        return StoreProxy.wrapped(Store.class, store, (method, arguments) -> {
            Object answer = StoreProxy.call(store, method, arguments);
            return answer instanceof Session session ? deaf(tree, session) : answer;
        });
    }

    private static Session deaf(String tree, Session session) {
        return StoreProxy.wrapped(Session.class, session, (method, arguments) -> {
            if (method.getName().equals("observe") && tree.equals(arguments[0])) {
                return session.observe(tree, new FirstOnly((TreeListener) arguments[1]));
            }
            return StoreProxy.call(session, method, arguments);
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
}
