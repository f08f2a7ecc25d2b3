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
 * Values and changes in a line, for people and for programs.
 *
 * @param secrets whether those that are marked secret are shown as well
 */
record Shown(boolean secrets) {

    /** In the place of a value that is not to be seen. */
    static final String SECRET = "(secret)";

    private static final String NONE = "(none)";
    private static final int WIDEST = 60;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    /** Who shows no secret. */
    static Shown discreet() {
        return new Shown(false);
    }

    /** A value, shortened, its line ends told as spaces. */
    String value(Optional<String> text, boolean secret) {
        return text.map(value -> hides(secret) ? SECRET : brief(value)).orElse(NONE);
    }

    /** What became of a key. */
    String change(KeyChange change) {
        return Text.visible(change.key()) + ": " + value(change.before(), change.secret()) + " -> "
                + value(change.now(), change.secret());
    }

    /** The same for programs. */
    String json(KeyChange change) {
        return object(new JsonObject(), change).end();
    }

    /** Several of them. */
    String json(List<KeyChange> changes) {
        return "[" + String.join(",", changes.stream().map(this::json).toList()) + "]";
    }

    /** What became of a key, in an object that says more. */
    JsonObject object(JsonObject json, KeyChange change) {
        return json.text("key", change.key())
                .text("before", masked(change.before(), change.secret()))
                .text("now", masked(change.now(), change.secret()))
                .flag("deleted", change.now().isEmpty())
                .flag("secret", change.secret());
    }

    /** A value for programs; empty if it is not to be seen. */
    Optional<String> masked(Optional<String> text, boolean secret) {
        return hides(secret) ? Optional.empty() : text;
    }

    /** Whether such a value is not to be seen. */
    boolean hides(boolean secret) {
        return secret && !secrets;
    }

    /** A time that a machine has told, for people here. */
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
