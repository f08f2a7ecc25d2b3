package io.baton.recipes.internal;

import io.baton.recipes.StandingQuestion;
import io.baton.recipes.StandingQuestion.State;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A question in the record of an asking.
 *
 * @param number its number, in the order of asking
 * @param id its id
 * @param hash the hash of its text
 * @param calls the calls that asked it before it was begun, and wait for the answer, joined by {@code +}; {@value #MORE}
 *     stands for those beyond {@link #MOST_CALLS}
 * @param patience how long the most patient of them waits
 * @param state how far it has come
 * @param attempts how often it has been begun
 * @param token the token of the process that began it last; 0 if none has
 */
record AskedQuestion(
        long number, String id, String hash, String calls, Duration patience, State state, int attempts, long token) {

    static final int MOST_CALLS = 16;

    private static final int PARTS = 7;
    private static final String MORE = "*";

    static AskedQuestion decode(String number, String text) {
        String[] parts = text.split(" ", PARTS);
        return new AskedQuestion(
                Long.parseLong(number),
                parts[6],
                parts[5],
                parts[4],
                Duration.ofMillis(Long.parseLong(parts[3])),
                state(parts[0]),
                Integer.parseInt(parts[1]),
                Long.parseLong(parts[2]));
    }

    private static State state(String text) {
        return Arrays.stream(State.values())
                .filter(each -> text(each).equals(text))
                .findFirst()
                .orElseThrow();
    }

    private static String text(State state) {
        return state.toString().toLowerCase(Locale.ROOT);
    }

    String encode() {
        return String.join(
                " ",
                text(state),
                Integer.toString(attempts),
                Long.toString(token),
                Long.toString(patience.toMillis()),
                calls,
                hash,
                id);
    }

    boolean isAsked() {
        return state == State.ASKED;
    }

    boolean isAnswered() {
        return state == State.ANSWERED || state == State.FAILED;
    }

    boolean isBegunUnder(long itsToken) {
        return state == State.BEGUN && token == itsToken;
    }

    /** Returns the question with this call among those that wait; the question itself if it is there. */
    AskedQuestion askedBy(String call, Duration itsPatience) {
        Set<String> all = each(calls);
        all.add(all.size() < MOST_CALLS || all.contains(call) ? call : MORE);
        return waitedForBy(all, patience.compareTo(itsPatience) < 0 ? itsPatience : patience);
    }

    /** Returns the question without these calls; empty if no other one waits. */
    Optional<AskedQuestion> without(String itsCalls) {
        Set<String> left = each(calls);
        left.removeAll(each(itsCalls));
        return left.isEmpty() ? Optional.empty() : Optional.of(waitedForBy(left, patience));
    }

    private static Set<String> each(String calls) {
        return new LinkedHashSet<>(List.of(calls.split("\\+", -1)));
    }

    private AskedQuestion waitedForBy(Set<String> all, Duration longest) {
        return new AskedQuestion(number, id, hash, String.join("+", all), longest, state, attempts, token);
    }

    AskedQuestion begunUnder(long newToken) {
        return new AskedQuestion(number, id, hash, calls, patience, State.BEGUN, attempts + 1, newToken);
    }

    AskedQuestion answered(State how) {
        return new AskedQuestion(number, id, hash, calls, patience, how, attempts, token);
    }

    StandingQuestion standing() {
        return new StandingQuestion(number, id, state, attempts, token);
    }
}
