package io.baton.internal.tree;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.internal.session.SessionRegistry;
import io.baton.recipe.ClientLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The records that a client's recipes follow. A tree is observed once for all. On the loop, except {@link #add}. */
public final class RecordCaches {

    /** The next listener will probably come within this time, and to begin anew would cost more than to go on. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    private final ClientLoop loop;
    private final SessionRegistry<TreeWatch> registry;
    private final Map<String, TreeWatch> trees = new LinkedHashMap<>();

    public RecordCaches(ClientLoop loop, SessionRegistry<TreeWatch> registry) {
        this.loop = loop;
        this.registry = registry;
    }

    /** Calls the listener on the loop with the present value, once known, and each change, until closed. Any thread. */
    public Subscription add(RecordKey key, Consumer<Optional<Item>> listener) {
        RecordCache added = new RecordCache(key, listener);
        loop.post(() -> {
            if (!registry.isClosed()) {
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
        registry.begin(begun);
        return begun;
    }

    private void remove(RecordCache watch) {
        String name = watch.key().tree();
        TreeWatch tree = trees.get(name);
        if (tree != null && tree.remove(watch)) {
            tree.endsWith(loop.after(KEPT, () -> {
                if (trees.remove(name, tree)) {
                    registry.end(tree);
                }
            }));
        }
    }
}
