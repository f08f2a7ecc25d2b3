package io.baton.spi.support;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue that serves its flows in turn (round robin) and the elements of each flow first come, first served. Thousands
 * of elements in one flow delay an element of another flow by one element. A flow holds an element at most once. Every
 * operation but {@link #removeIf} takes constant time. Not thread-safe.
 *
 * @param <E> the elements, compared by {@code equals}
 */
public final class FairQueue<E> {

    // The flow that is served next comes first.
    private final Map<Object, Set<E>> flows = new LinkedHashMap<>();
    private int size;

    /** An empty queue. */
    public FairQueue() {}

    /** Adds the element behind the others of its flow. A new flow is served after the present ones. */
    public void add(Object flow, E element) {
        if (flows.computeIfAbsent(flow, key -> new LinkedHashSet<>()).add(element)) {
            size++;
        }
    }

    /** Removes and returns the first element of the flow whose turn it is; null if the queue is empty. */
    public @Nullable E poll() {
        Iterator<Map.Entry<Object, Set<E>>> turns = flows.entrySet().iterator();
        if (!turns.hasNext()) {
            return null;
        }
        Map.Entry<Object, Set<E>> turn = turns.next();
        Object flow = turn.getKey();
        Set<E> elements = turn.getValue();
        turns.remove();
        Iterator<E> oldest = elements.iterator();
        E element = oldest.next();
        oldest.remove();
        size--;
        if (!elements.isEmpty()) {
            flows.put(flow, elements);
        }
        return element;
    }

    /** Removes the element from its flow, if it is there. */
    public void remove(Object flow, E element) {
        Set<E> elements = flows.get(flow);
        if (elements != null && elements.remove(element)) {
            size--;
            if (elements.isEmpty()) {
                flows.remove(flow);
            }
        }
    }

    /** Removes every element that meets the condition. */
    public void removeIf(Predicate<E> condition) {
        flows.values().removeIf(elements -> {
            int before = elements.size();
            elements.removeIf(condition);
            size -= before - elements.size();
            return elements.isEmpty();
        });
    }

    /** Removes all elements. */
    public void clear() {
        flows.clear();
        size = 0;
    }

    /** Returns the number of queued elements. */
    public int size() {
        return size;
    }
}
