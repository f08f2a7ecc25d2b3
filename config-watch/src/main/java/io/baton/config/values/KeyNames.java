package io.baton.config.values;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The syntax and comparison of paths and names. */
final class KeyNames {

    private static final Pattern HARMLESS = Pattern.compile("[\\w.$@:/ -]{1,40}");
    private static final int FAR = 3;

    private KeyNames() {}

    /** Returns the same text for {@code retryLimit}, {@code retry-limit} and {@code RETRY_LIMIT}. */
    static String canonical(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.indexOf('-') < 0 && lower.indexOf('_') < 0) {
            return lower;
        }
        return lower.replace("-", "").replace("_", "");
    }

    /** Splits a path; {@code ""} has no segments. */
    static List<String> segments(String path) {
        return path.isEmpty() ? List.of() : List.of(path.split("\\.", -1));
    }

    static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    static String item(String path, int index) {
        return path + "[" + index + "]";
    }

    /**
     * Returns a document's name for a reason. Any text that does not look like a name may be part of a secret key, and
     * is hidden.
     */
    static String shown(String name) {
        return HARMLESS.matcher(name).matches() ? name : "(a name of " + name.length() + " characters)";
    }

    /** Returns the most similar known name. */
    static Optional<String> nearest(String name, Collection<String> known) {
        String wanted = canonical(name);
        String best = null;
        int least = Math.min(FAR, 1 + wanted.length() / 2);
        for (String candidate : known) {
            int distance = distance(wanted, canonical(candidate));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    /** The Levenshtein distance. */
    private static int distance(String one, String other) {
        if (Math.abs(one.length() - other.length()) >= FAR) {
            return FAR;
        }
        int[] above = new int[other.length() + 1];
        for (int column = 0; column < above.length; column++) {
            above[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            int[] here = new int[above.length];
            here[0] = row;
            for (int column = 1; column < here.length; column++) {
                int same = one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1;
                here[column] = Math.min(above[column - 1] + same, Math.min(above[column], here[column - 1]) + 1);
            }
            above = here;
        }
        return above[other.length()];
    }
}
