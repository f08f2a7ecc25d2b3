package io.baton.testkit.zookeeper;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.zookeeper.server.Request;

/** Counts clients' requests by kind. */
final class RequestLog {

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    void add(Request request) {
        if (request.cnxn != null) {
            counts.computeIfAbsent(Request.op2String(request.type), kind -> new LongAdder())
                    .increment();
        }
    }

    SortedMap<String, Long> read() {
        SortedMap<String, Long> snapshot = new TreeMap<>();
        counts.forEach((kind, count) -> snapshot.put(kind, count.sum()));
        return Collections.unmodifiableSortedMap(snapshot);
    }
}
