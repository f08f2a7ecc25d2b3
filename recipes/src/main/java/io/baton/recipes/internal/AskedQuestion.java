package io.baton.recipes.internal;

import io.baton.recipes.StandingQuestion;
import io.baton.recipes.StandingQuestion.State;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/**
 * A question in the record of an asking.
 *
 * @param number its number, in the order of asking
 * @param id its id
 * @param hash the hash of its text
 * @param ask the latest call that asked it, which waits for the answer
 * @param patience how long that call waits at most
 * @param state how far it has come
 * @param attempts how often it has been begun
 * @param token the token of the process that began it last; 0 if none has
 */
record AskedQuestion(
        long number, String id, String hash, String ask, Duration patience, State state, int attempts, long token) {

    private static final int PARTS = 7;

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

    String encode() {
        return String.join(
                " ",
                text(state),
                Integer.toString(attempts),
                Long.toString(token),
    private static State state(String text) {
        return Arrays.stream(State.values())
                .filter(each -> text(each).equals(text))
                .findFirst()
                .orElseThrow();
    }

    private static String text(State state) {
        return state.toString().toLowerCase(Locale.ROOT);
    }

                Long.toString(patience.toMillis()),
                ask,
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

    AskedQuestion askedBy(String call, Duration itsPatience) {
        return new AskedQuestion(number, id, hash, call, itsPatience, state, attempts, token);
    }

    AskedQuestion begunUnder(long newToken) {
        return new AskedQuestion(number, id, hash, ask, patience, State.BEGUN, attempts + 1, newToken);
    }

    AskedQuestion answered(State how) {
        return new AskedQuestion(number, id, hash, ask, patience, how, attempts, token);
    }

    StandingQuestion standing() {
        return new StandingQuestion(number, id, state, attempts, token);
    }
}
