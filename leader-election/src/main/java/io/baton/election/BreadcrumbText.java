package io.baton.election;

import io.baton.Item;
import io.baton.spi.Names;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** How a breadcrumb is written: lines of {@code key=value} in UTF-8, values percent-encoded. */
final class BreadcrumbText {

    private static final int MAX_SHOWN = 200;

    private BreadcrumbText() {}

    static byte[] encode(Breadcrumb crumb) {
        String text = "id=" + escape(crumb.id()) + "\naddress=" + escape(crumb.address()) + "\nterm=" + crumb.term()
                + "\nrun=" + escape(crumb.run()) + "\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What was written; of something that is no breadcrumb, its text as the id, so that somebody looks at it. */
    static Breadcrumb decode(Item item) {
        Map<String, String> values = new TreeMap<>();
        for (String line : item.text().split("\n", -1)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        String id = unescape(values.getOrDefault("id", ""));
        return new Breadcrumb(
                id.isEmpty() ? shown(item.text()) : id,
                unescape(values.getOrDefault("address", "")),
                number(values.getOrDefault("term", "")),
                unescape(values.getOrDefault("run", "")));
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    private static String shown(String text) {
        var out = new StringBuilder();
        text.codePoints().limit(MAX_SHOWN).forEach(c -> out.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return out.toString();
    }

    private static String escape(String text) {
        return text.isEmpty() ? "" : Names.encode(text);
    }

    private static String unescape(String text) {
        return text.isEmpty() ? "" : Names.decode(text);
    }
}
