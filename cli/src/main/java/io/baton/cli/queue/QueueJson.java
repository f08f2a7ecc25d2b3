package io.baton.cli.queue;

import io.baton.QueueEntry;
import io.baton.cli.Text;
import java.util.ArrayList;
import java.util.List;

/** Formats a queue as JSON. Characters that could harm a terminal are escaped, which does not change their meaning. */
final class QueueJson {

    private QueueJson() {}

    static String array(List<QueueEntry> queue) {
        List<String> objects = new ArrayList<>();
        for (QueueEntry entry : queue) {
            objects.add("{\"position\":" + (objects.size() + 1)
                    + ",\"holder\":" + entry.holder()
                    + ",\"token\":" + entry.token()
                    + ",\"client\":" + Text.json(entry.client())
                    + ",\"host\":" + Text.json(entry.host())
                    + ",\"pid\":" + (entry.pid() == 0 ? "null" : entry.pid())
                    + ",\"since\":"
                    + entry.since().map(at -> Text.json(at.toString())).orElse("null")
                    + "}");
        }
        return "[" + String.join(",\n ", objects) + "]";
    }
}
