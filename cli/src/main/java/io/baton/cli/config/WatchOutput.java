package io.baton.cli.config;

import io.baton.Position;
import io.baton.cli.JsonObject;
import io.baton.cli.Text;
import io.baton.config.ConfigEvent;
import io.baton.config.ConfigSnapshot;
import io.baton.config.KeyChange;
import io.baton.config.Rejection;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/** An output of {@code baton config watch}. */
sealed interface WatchOutput {

    DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    /** The output as text. */
    List<String> lines(Shown shown);

    /** The output as JSON. */
    String json(Shown shown);

    /** The output for an event; empty if changes cover it. */
    static Optional<WatchOutput> of(ConfigEvent event) {
        if (event instanceof ConfigEvent.Resynced resynced) {
            return Optional.of(new Anew(
                    Instant.now(),
                    "resynced",
                    "read anew after a gap",
                    resynced.at(),
                    resynced.differences().size()));
        } else if (event instanceof ConfigEvent.Rewound rewound) {
            return Optional.of(new Anew(
                    Instant.now(),
                    "rewound",
                    "the store was set back or replaced",
                    rewound.at(),
                    rewound.differences().size()));
        } else if (event instanceof ConfigEvent.Rejected rejected) {
            return Optional.of(new Refusal(Instant.now(), rejected.rejection()));
        } else if (event instanceof ConfigEvent.Recovered recovered) {
            return Optional.of(new Recovery(Instant.now(), recovered.revision()));
        }
        return Optional.empty();
    }

    private static String line(Instant time, String text) {
        return TIME.format(time.atZone(ZoneId.systemDefault())) + "  " + text;
    }

    private static JsonObject object(String event, Instant time, long revision) {
        return new JsonObject()
                .text("event", event)
                .text("time", time.toString())
                .number("revision", revision);
    }

    /** Watching has begun. */
    record Begun(Instant time, ConfigSnapshot first) implements WatchOutput {

        @Override
        public List<String> lines(Shown shown) {
            return List.of(line(time, "following, " + first.values().size() + " keys at change " + first.change()));
        }

        @Override
        public String json(Shown shown) {
            return object("following", time, first.position().revision())
                    .number("change", first.change())
                    .number("keys", first.values().size())
                    .end();
        }
    }

    /** Keys were changed, all at once. */
    record Changed(Instant time, List<KeyChange> changes, long revision) implements WatchOutput {

        @Override
        public List<String> lines(Shown shown) {
            return changes.stream()
                    .map(change -> line(time, shown.change(change)))
                    .toList();
        }

        @Override
        public String json(Shown shown) {
            return object("changed", time, revision)
                    .raw("changes", shown.json(changes))
                    .end();
        }
    }

    /** Everything was read again. */
    record Anew(Instant time, String event, String what, Position at, int differences) implements WatchOutput {

        @Override
        public List<String> lines(Shown shown) {
            return List.of(line(time, event + ": " + what + "; keys that differ: " + differences));
        }

        @Override
        public String json(Shown shown) {
            return object(event, time, at.revision())
                    .number("differences", differences)
                    .end();
        }
    }

    /** What the store has cannot be read; nothing is seen until it can. */
    record Refusal(Instant time, Rejection why) implements WatchOutput {

        @Override
        public List<String> lines(Shown shown) {
            return List.of(line(
                    time,
                    "rejected: change " + why.change() + ", revision " + why.revision() + ": "
                            + Text.line(why.key() + ": " + why.reason())));
        }

        @Override
        public String json(Shown shown) {
            return object("rejected", time, why.revision())
                    .number("change", why.change())
                    .text("key", why.key())
                    .text("reason", why.reason())
                    .end();
        }
    }

    /** What the store has can be read again. */
    record Recovery(Instant time, long revision) implements WatchOutput {

        @Override
        public List<String> lines(Shown shown) {
            return List.of(line(time, "recovered: what the store has is read again, at revision " + revision));
        }

        @Override
        public String json(Shown shown) {
            return object("recovered", time, revision).end();
        }
    }
}
