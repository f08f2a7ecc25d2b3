package io.baton.cli.config;

import io.baton.cli.Grid;
import io.baton.cli.JsonObject;
import io.baton.cli.Text;
import io.baton.config.KeyChange;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/**
 * Formats values and changes in one line, as text or JSON.
 *
 * @param secrets whether secret values are shown as well
 */
record Shown(boolean secrets) {

    /** The text in place of a hidden value. */
    private static final String SECRET = "(secret)";

    private static final String NONE = "(none)";
    private static final int WIDEST = 60;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    /** Hides secrets. */
    static Shown discreet() {
        return new Shown(false);
    }

    /** Formats a value, shortened, with spaces in place of line ends. */
    String value(Optional<String> text, boolean secret) {
        return text.map(value -> hides(secret) ? SECRET : brief(value)).orElse(NONE);
    }

    /** Formats the change of a key. */
    String change(KeyChange change) {
        return Text.visible(change.key()) + ": " + value(change.before(), change.secret()) + " -> "
                + value(change.now(), change.secret());
    }

    /** Formats the change of a key as JSON. */
    String json(KeyChange change) {
        return object(new JsonObject(), change).end();
    }

    /** Formats several changes as JSON. */
    String json(List<KeyChange> changes) {
        return "[" + String.join(",", changes.stream().map(this::json).toList()) + "]";
    }

    /** Adds the change of a key to an object. */
    JsonObject object(JsonObject json, KeyChange change) {
        return json.text("key", change.key())
                .text("before", masked(change.before(), change.secret()))
                .text("now", masked(change.now(), change.secret()))
                .flag("deleted", change.now().isEmpty())
                .flag("secret", change.secret());
    }

    /** The value for JSON; empty if it is hidden. */
    Optional<String> masked(Optional<String> text, boolean secret) {
        return hides(secret) ? Optional.empty() : text;
    }

    /** Whether a value is hidden. */
    boolean hides(boolean secret) {
        return secret && !secrets;
    }

    /** Formats a time in the local time zone. */
    static String time(Instant at) {
        return TIME.format(at.atZone(ZoneId.systemDefault()));
    }

    private static String brief(String value) {
        if (value.isEmpty()) {
            return "''";
        }
        return Grid.cut(Text.visible(Text.joined(value.strip(), " ")), WIDEST);
    }
}
