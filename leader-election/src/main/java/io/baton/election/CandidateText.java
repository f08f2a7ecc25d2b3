package io.baton.election;

import io.baton.spi.Entry;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a candidate's entry says: lines of {@code key=value} in UTF-8, behind those by which any client describes itself.
 * On paths that are shared with other programs it is the id and nothing else, as they show the whole of it as one.
 */
final class CandidateText {

    private static final String ID = "id=";
    private static final String ADDRESS = "address=";
    private static final String META = "meta.";
    private static final int MAX_SHOWN = 1024;

    private CandidateText() {}

    /** The payload, with what the client says of itself in front. */
    static byte[] encode(Candidate candidate, byte[] client) {
        var text = new StringBuilder(new String(client, StandardCharsets.UTF_8));
        text.append(ID).append(escape(candidate.id())).append('\n');
        if (!candidate.address().isEmpty()) {
            text.append(ADDRESS).append(escape(candidate.address())).append('\n');
        }
        new TreeMap<>(candidate.metadata())
                .forEach((key, value) -> text.append(META)
                        .append(escape(key))
                        .append('=')
                        .append(escape(value))
                        .append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The payload on a path that is shared. */
    static byte[] encodeShared(Candidate candidate) {
        return candidate.id().getBytes(StandardCharsets.UTF_8);
    }

    /** The candidate of this entry. */
    static Leader decode(Entry entry) {
        String text = new String(entry.payload(), StandardCharsets.UTF_8);
        String id = "";
        String address = "";
        Map<String, String> metadata = new TreeMap<>();
        for (String line : text.split("\n", -1)) {
            if (line.startsWith(ID)) {
                id = unescape(line.substring(ID.length()));
            } else if (line.startsWith(ADDRESS)) {
                address = unescape(line.substring(ADDRESS.length()));
            } else if (line.startsWith(META) && line.indexOf('=') >= 0) {
                int equals = line.indexOf('=');
                metadata.put(unescape(line.substring(META.length(), equals)), unescape(line.substring(equals + 1)));
            }
        }
        return new Leader(id.isEmpty() ? shown(text) : id, address, metadata, entry.token());
    }

    /** Another program's, or one on a shared path: the whole is its id. */
    private static String shown(String text) {
        var out = new StringBuilder();
        text.codePoints().limit(MAX_SHOWN).forEach(c -> out.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return out.toString();
    }

    private static String escape(String text) {
        return text.replace("%", "%25")
                .replace("\n", "%0A")
                .replace("\r", "%0D")
                .replace("=", "%3D");
    }

    private static String unescape(String text) {
        return text.replace("%3D", "=")
                .replace("%0D", "\r")
                .replace("%0A", "\n")
                .replace("%25", "%");
    }
}
