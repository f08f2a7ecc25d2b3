package io.baton.election.internal.standby;

import io.baton.election.ActiveStandby;
import io.baton.election.StandbyMember;
import io.baton.election.StandbyStatus;
import io.baton.recipe.TextLines;
import io.baton.spi.Entry;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The text of a node's published state: lines of {@code key=value}. */
final class MemberText {

    private MemberText() {}

    static byte[] encode(StandbyMember member) {
        var lines = new TextLines()
                .add("id", member.id())
                .add("run", member.run())
                .add("address", member.address())
                .add("priority", String.valueOf(member.priority()))
                .add("state", word(member.state()))
                .add("readiness", word(member.readiness()))
                .add("health", word(member.health()))
                .add("asof", String.valueOf(member.asOf().toEpochMilli()));
        member.again().ifPresent(at -> lines.add("again", String.valueOf(at.toEpochMilli())));
        member.trouble().ifPresent(what -> lines.add("trouble", what));
        return lines.bytes();
    }

    /** Parses a node's state; empty if the text is not from a node. */
    static Optional<StandbyMember> decode(Entry entry) {
        Map<String, String> lines = TextLines.decode(entry.payload());
        Optional<ActiveStandby.State> state = named(ActiveStandby.State.values(), lines.get("state"));
        Optional<StandbyMember.Readiness> readiness = named(StandbyMember.Readiness.values(), lines.get("readiness"));
        Optional<StandbyStatus.Health> health = named(StandbyStatus.Health.values(), lines.get("health"));
        if (state.isEmpty() || readiness.isEmpty() || health.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new StandbyMember(
                lines.getOrDefault("id", ""),
                lines.getOrDefault("run", ""),
                lines.getOrDefault("address", ""),
                (int) TextLines.number(lines.getOrDefault("priority", "0")),
                0,
                state.get(),
                readiness.get(),
                health.get(),
                Optional.ofNullable(lines.get("again")).map(MemberText::instant),
                Optional.ofNullable(lines.get("trouble")),
                instant(lines.getOrDefault("asof", "0"))));
    }

    /** Returns the member with its position in the candidates' line. */
    static StandbyMember at(int position, StandbyMember member) {
        return new StandbyMember(
                member.id(),
                member.run(),
                member.address(),
                member.priority(),
                position,
                member.state(),
                member.readiness(),
                member.health(),
                member.again(),
                member.trouble(),
                member.asOf());
    }

    private static Instant instant(String millis) {
        return Instant.ofEpochMilli(TextLines.number(millis));
    }

    private static String word(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT);
    }

    private static <E extends Enum<E>> Optional<E> named(E[] all, @Nullable String word) {
        for (E each : all) {
            if (word(each).equals(word)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
