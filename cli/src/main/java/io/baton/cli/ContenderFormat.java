package io.baton.cli;

import io.baton.QueueEntry;
import io.baton.spi.Claim;
import java.util.Locale;

/** Shows a contender of a line to people and to programs. */
public final class ContenderFormat {

    /** Replaces the name of a foreign client; all of Baton's have one. */
    public static final String FOREIGN = "(foreign)";

    private ContenderFormat() {}

    /** Its client, host and process id, as {@code baton lock@web1 (463)}; {@link #FOREIGN} if it has no client. */
    public static String text(QueueEntry entry) {
        if (entry.client().isBlank()) {
            return FOREIGN;
        }
        String where = entry.host().isBlank() ? "" : "@" + entry.host();
        return entry.client() + where + (entry.pid() == 0 ? "" : " (" + entry.pid() + ")");
    }

    /** Adds its token, client, host, pid and since to the object, with null for what it does not say; and its entry. */
    public static JsonObject json(JsonObject object, QueueEntry entry) {
        JsonObject all = object.number("token", entry.token())
                .unlessEmpty("client", entry.client())
                .unlessEmpty("host", entry.host())
                .raw("pid", entry.pid() == 0 ? "null" : Long.toString(entry.pid()))
                .text("since", entry.since().map(Object::toString));
        return entry.entry().isEmpty() ? all : all.text("entry", entry.entry());
    }

    /** A claim on a read/write lock: {@code shared} or {@code exclusive}. */
    public static String claim(Claim claim) {
        return claim.mode().name().toLowerCase(Locale.ROOT);
    }
}
