package io.baton.cli.queue;

import io.baton.LockDelays;
import io.baton.PendingRelease;
import io.baton.QueueEntry;
import io.baton.SemaphoreView;
import io.baton.cli.ContenderFormat;
import io.baton.cli.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Formats a queue as JSON. Characters that could harm a terminal are escaped, which does not change their meaning. */
final class QueueJson {

    private QueueJson() {}

    /** The contenders for a lock, the options that are stored with it, and the request to release that it has. */
    static String lock(List<QueueEntry> queue, Optional<LockDelays> delays, Optional<PendingRelease> asked) {
        return new JsonObject()
                .raw("holdAtLeastMillis", millis(delays.map(LockDelays::holdAtLeast)))
                .raw("delayAfterLossMillis", millis(delays.map(LockDelays::delayAfterLoss)))
                .raw("restMillis", millis(delays.map(LockDelays::rest)))
                .raw("releaseRequest", asked.map(QueueJson::request).orElse("null"))
                .raw("queue", array(queue))
                .end();
    }

    private static String millis(Optional<Duration> duration) {
        return duration.map(each -> Long.toString(each.toMillis())).orElse("null");
    }

    private static String request(PendingRelease asked) {
        return new JsonObject()
                .number("token", asked.token())
                .text("by", asked.by())
                .text("since", asked.at().toString())
                .text("reason", asked.reason())
                .end();
    }

    private static String array(List<QueueEntry> queue) {
        List<String> objects = new ArrayList<>();
        for (QueueEntry entry : queue) {
            objects.add(entry(objects.size() + 1, entry)
                    .text("claim", ContenderFormat.claim(entry.claim()))
                    .end());
        }
        return "[" + String.join(",\n ", objects) + "]";
    }

    static String semaphore(SemaphoreView view) {
        return new JsonObject()
                .raw("size", view.size() == 0 ? "null" : Integer.toString(view.size()))
                .number("out", view.out())
                .raw("holders", permits(1, view.holders()))
                .raw("waiting", permits(1 + view.holders().size(), view.waiting()))
                .end();
    }

    private static String permits(int first, List<QueueEntry> entries) {
        List<String> objects = new ArrayList<>();
        for (QueueEntry entry : entries) {
            int permits = entry.claim().permits();
            objects.add(entry(first + objects.size(), entry)
                    .raw("permits", permits == 0 ? "null" : Integer.toString(permits))
                    .end());
        }
        return "[" + String.join(",\n ", objects) + "]";
    }

    private static JsonObject entry(int position, QueueEntry entry) {
        JsonObject object = new JsonObject().number("position", position).flag("holder", entry.holder());
        return ContenderFormat.json(object, entry);
    }
}
