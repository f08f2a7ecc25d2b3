package io.baton.election.internal.standby;

import io.baton.Item;
import io.baton.election.Breadcrumb;
import io.baton.recipe.TextLines;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The text of a breadcrumb: lines of {@code key=value}. */
public final class BreadcrumbText {

    private static final int MAX_SHOWN = 200;

    private BreadcrumbText() {}

    public static byte[] encode(Breadcrumb crumb) {
        var lines = new TextLines()
                .add("id", crumb.id())
                .add("address", crumb.address())
                .add("term", String.valueOf(crumb.term()))
                .add("run", crumb.run());
        crumb.since().ifPresent(at -> lines.add("since", String.valueOf(at.toEpochMilli())));
        return lines.bytes();
    }

    /** Parses a breadcrumb. Any other text becomes the id, so that an operator can see it. */
    public static Breadcrumb decode(Item item) {
        Map<String, String> lines = TextLines.decode(item.value());
        String id = lines.getOrDefault("id", "");
        return new Breadcrumb(
                id.isEmpty() ? TextLines.shown(item.value(), MAX_SHOWN) : id,
                lines.getOrDefault("address", ""),
                TextLines.number(lines.getOrDefault("term", "")),
                lines.getOrDefault("run", ""),
                Optional.ofNullable(lines.get("since")).map(at -> Instant.ofEpochMilli(TextLines.number(at))));
    }
}
