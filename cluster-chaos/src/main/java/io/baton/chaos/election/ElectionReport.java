package io.baton.chaos.election;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What came of a run.
 *
 * @param what the servers
 * @param standing how many candidates there were
 * @param successions how one leader followed the other
 * @param requests how many requests a succession took, of all clients together, where that was counted
 * @param expected how often some observer was to be told of some leader
 * @param tooShort how often one was not, as that leader led for a shorter time than a read took
 * @param refused how many terms ended with a write that the store refused
 * @param violations what was not as it should be
 */
record ElectionReport(
        String what,
        int standing,
        List<Succession> successions,
        Map<Cause, Double> requests,
        long expected,
        long tooShort,
        long refused,
        List<String> violations) {

    String summary() {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(Locale.ROOT, "%s: %d candidates, %d successions%n", what, standing, successions.size()));
        for (Cause deed : Cause.values()) {
            long[] nanos = successions.stream()
                    .filter(each -> each.deed() == deed)
                    .mapToLong(Succession::nanos)
                    .sorted()
                    .toArray();
            if (nanos.length > 0) {
                text.append(String.format(
                        Locale.ROOT,
                        "  %-8s %4d times, next after %.1f ms (median), %.1f ms (worst)%s%n",
                        deed.name().toLowerCase(Locale.ROOT),
                        nanos.length,
                        millis((nanos[(nanos.length - 1) / 2] + nanos[nanos.length / 2]) / 2),
                        millis(Arrays.stream(nanos).max().orElse(0)),
                        requests.containsKey(deed)
                                ? String.format(Locale.ROOT, ", %.2f requests each", requests.get(deed))
                                : ""));
            }
        }
        text.append(String.format(
                Locale.ROOT,
                "  observers: %d sightings expected, %d not had as the leader led for less than a read;"
                        + " %d late writes refused%n  %s",
                expected,
                tooShort,
                refused,
                violations.isEmpty() ? "no violation" : violations.size() + " violations"));
        return text.toString();
    }

    private static double millis(long nanos) {
        return nanos / (double) Duration.ofMillis(1).toNanos();
    }
}
