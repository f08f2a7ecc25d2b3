package io.baton.testkit.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The trace of a run: the newest lines, and a fingerprint of all of them. */
public final class Trace {

    private final int limit;
    private final ArrayDeque<Line> newest = new ArrayDeque<>();
    private long lines;
    private long fingerprint = 17;

    Trace(int limit) {
        this.limit = limit;
    }

    void add(long nanos, String who, String what) {
        newest.addLast(new Line(nanos, who, what));
        if (newest.size() > limit) {
            newest.removeFirst();
        }
        lines++;
        fingerprint = ((fingerprint * 31 + nanos) * 31 + who.hashCode()) * 31 + what.hashCode();
    }

    /** The newest lines, oldest first. */
    public List<String> newest() {
        var out = new ArrayList<String>(newest.size());
        newest.forEach(line -> out.add(line.text()));
        return out;
    }

    /** The number of lines in all. */
    public long lines() {
        return lines;
    }

    /** Equal for runs with the same lines at the same virtual times, and with high probability for no others. */
    public long fingerprint() {
        return fingerprint;
    }

    private record Line(long nanos, String who, String what) {
        String text() {
            return String.format(Locale.ROOT, "%,15d ns  %-10s %s", nanos, who, what);
        }
    }
}
