package io.baton.internal;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.spi.Session;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who in Baton itself wants to know of single records, carried over from session to session. A tree is observed once for
 * all of them. On the loop, except {@link #add}.
 */
final class RecordCaches {

    private final ClientLoop loop;
    private final Map<String, TreeWatch> trees = new LinkedHashMap<>();
    private @Nullable Session session;
    private boolean closed;

    RecordCaches(ClientLoop loop) {
        this.loop = loop;
    }

    /** Tells the present value on the loop, once it is known, and each change, until closed. Any thread. */
    Subscription add(RecordKey key, Consumer<Optional<Item>> to) {
        RecordCache added = new RecordCache(key, to);
        loop.post(() -> {
            if (!closed) {
                tree(key.tree()).add(added);
            }
        });
        return () -> loop.post(() -> remove(added));
    }

    private TreeWatch tree(String name) {
        TreeWatch known = trees.get(name);
        if (known != null) {
            return known;
        }
        TreeWatch begun = new TreeWatch(name);
        trees.put(name, begun);
        if (session != null) {
            begun.follow(session);
        }
        return begun;
    }

    private void remove(RecordCache watch) {
        String name = watch.key().tree();
        TreeWatch tree = trees.get(name);
        if (tree != null && !tree.remove(watch)) {
            trees.remove(name);
            tree.stop();
        }
    }

    void ready(Session now) {
        if (session != now) {
            session = now;
            List.copyOf(trees.values()).forEach(each -> each.follow(now));
        }
    }

    /** The session is over, and its observations with it. */
    void sessionLost() {
        session = null;
        trees.values().forEach(TreeWatch::cutOff);
    }

    void close() {
        closed = true;
        List.copyOf(trees.values()).forEach(TreeWatch::stop);
        trees.clear();
    }
}
