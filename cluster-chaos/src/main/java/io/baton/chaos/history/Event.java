package io.baton.chaos.history;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of a history: {@code <nanos> <who> <what> key=value ...}
 *
 * @param nanos when
 * @param who who noted it: {@code p3.1.2} is the second contender of the first process in the third place
 * @param what what it is
 * @param details what else it tells; keys and values hold no blanks
 */
public record Event(long nanos, String who, EventKind what, Map<String, String> details) {

    /**
     * An event.
     *
     * @param details keys and values in turns; blanks in values become underscores
     */
    public static Event of(long nanos, String who, EventKind what, Object... details) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i + 1 < details.length; i += 2) {
            map.put(details[i].toString(), details[i + 1].toString().replaceAll("\\s+", "_"));
        }
        return new Event(nanos, who, what, map);
    }

    /**
     * The event that a line tells.
     *
     * @throws IllegalArgumentException if the line tells none
     */
    public static Event parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length < 3) {
            throw new IllegalArgumentException("not a line of a history: " + line);
        }
        Map<String, String> details = new LinkedHashMap<>();
        for (int i = 3; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("no key=value at '" + words[i] + "' in: " + line);
            }
            details.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return new Event(Long.parseLong(words[0]), words[1], EventKind.of(words[2]), details);
    }

    /** The line that tells it. */
    public String line() {
        StringBuilder line = new StringBuilder();
        line.append(nanos).append(' ').append(who).append(' ').append(what.text());
        details.forEach((key, value) -> line.append(' ').append(key).append('=').append(value));
        return line.toString();
    }

    /** Whether it tells this. */
    public boolean has(String key) {
        return details.containsKey(key);
    }

    /**
     * A detail.
     *
     * @throws IllegalArgumentException if it is missing
     */
    public String text(String key) {
        String value = details.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key + " in: " + line());
        }
        return value;
    }

    /**
     * A detail that is a number.
     *
     * @throws IllegalArgumentException if it is missing, or none
     */
    public long number(String key) {
        return Long.parseLong(text(key));
    }

    /**
     * Which hold of its lock it tells of.
     *
     * @throws IllegalArgumentException if that is missing
     */
    public FencingToken token() {
        return FencingToken.parse(text("token"));
    }

    /** The process that noted it: {@code p3.1} of {@code p3.1.2}. */
    public String process() {
        return processOf(who);
    }

    /** The process of whoever is called so. */
    public static String processOf(String who) {
        int dot = who.lastIndexOf('.');
        return dot < 0 ? who : who.substring(0, dot);
    }
}
