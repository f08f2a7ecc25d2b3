package io.baton.chaos.check;

import java.util.Locale;

/** How times are written for people. */
final class Times {

    private Times() {}

    /** So many nanoseconds. */
    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}
