package io.baton.chaos.client;

import io.baton.chaos.history.FencingToken;

/**
 * The value of a lock's counter.
 *
 * @param value how often it was counted up
 * @param token of the hold that did so last
 * @param write which write that was; empty if there was none
 */
public record CounterValue(long value, FencingToken token, String write) {

    /** One that nobody has counted up yet. */
    public static final CounterValue NONE = new CounterValue(0, new FencingToken(0, 0), "");

    /** As it stands in the store. */
    public String text() {
        return value + " " + token + " " + write;
    }

    /** What stands in the store. */
    public static CounterValue parse(String text) {
        String[] words = text.split(" ", -1);
        return new CounterValue(Long.parseLong(words[0]), FencingToken.parse(words[1]), words[2]);
    }
}
