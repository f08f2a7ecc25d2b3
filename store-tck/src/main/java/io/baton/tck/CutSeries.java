package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Moment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * The runs of one act, with the contact cut at its first message, its second, and so on until none is left to cut.
 * There is a series for each direction, before and after the message is forwarded. Each run has its own stage.
 */
final class CutSeries {

    /** The steps of an act; arms the cut once the preparation is done. */
    interface Script {
        void perform(Stage stage) throws Exception;
    }

    /** More messages than any act has. */
    private static final int TOO_MANY = 60;

    private static final int MOST_SERIES = 5;
    private static final int AT_A_TIME = 2;
    /** See {@link Cuts#eachOfDozens}. */
    private static final Set<Act> OF_DOZENS = EnumSet.of(
            Act.SHARE,
            Act.PERMITS,
            Act.ACQUIRE_ALL,
            Act.TIME_OUT_ALL,
            Act.TAKE_TURNS,
            Act.LINGER,
            Act.RELEASE_EARLY,
            Act.CANCEL_RESTING,
            Act.ASK_TO_RELEASE,
            Act.BE_ASKED,
            Act.EVICT,
            Act.FOLLOW,
            Act.COMMIT);

    private static final Set<Act> IN_DOUBT = EnumSet.of(Act.WAIT_IN_DOUBT, Act.CANCEL_IN_DOUBT, Act.RELEASE_IN_DOUBT);

    private final Act act;
    private final Cuts cuts;
    private final Callable<StoreUnderTest> stores;
    private final Script script;
    private final CutCount made;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    CutSeries(Act act, Cuts cuts, Callable<StoreUnderTest> stores, Script script) {
        this.act = act;
        this.cuts = cuts;
        this.stores = stores;
        this.script = script;
        this.made = new CutCount(act);
    }

    /** Runs all series, and fails unless every expected message was cut. */
    void perform() {
        try {
            List<CompletableFuture<Boolean>> series = new ArrayList<>();
            for (Direction direction : Direction.values()) {
                for (Moment moment : cuts.moments()) {
                    series.add(CompletableFuture.supplyAsync(() -> complete(direction, moment), threads));
                }
            }
            all(series);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The cuts made so far, one line for each kind of message. */
    @Override
    public String toString() {
        return made.toString();
    }

    /** A heartbeat may come at any time and take the place of another message. The series is repeated then. */
    private boolean complete(Direction direction, Moment moment) {
        Set<String> expected = cuts.expected(act, direction);
        for (int i = 0; i == 0 || (i < MOST_SERIES && made.lacks(direction, moment, expected)); i++) {
            once(direction, moment, expected);
        }
        assertThat(made.lacks(direction, moment, expected))
                .as("one of %s was never cut %s handed on %s; cuts made:%n%s", expected, moment, direction, made)
                .isFalse();
        return true;
    }

    /** Several run at a time, since a client without contact mostly waits. */
    private void once(Direction direction, Moment moment, Set<String> expected) {
        boolean toTheEnd = !OF_DOZENS.contains(act) || cuts.eachOfDozens();
        boolean more = true;
        for (int n = 1; more; n += AT_A_TIME) {
            assertThat(n).as("messages of one act").isLessThan(TOO_MANY);
            more = all(IntStream.range(n, n + AT_A_TIME)
                            .mapToObj(each -> new Stage.Cut(IN_DOUBT.contains(act), direction, moment, each))
                            .map(cut -> CompletableFuture.supplyAsync(() -> perform(cut), threads))
                            .toList())
                    && (toTheEnd || made.lacks(direction, moment, expected));
        }
    }

    /** Returns whether the cut was made; if not, the act has fewer messages. */
    private boolean perform(Stage.Cut cut) {
        try (Stage stage = Stage.open(stores, act, cut)) {
            try {
                script.perform(stage);
                stage.finish();
            } catch (Exception | AssertionError failed) {
                throw new AssertionError(stage + ": " + failed.getMessage(), failed);
            }
            var message = stage.disarm();
            message.ifPresent(name -> made.add(cut.direction(), cut.moment(), name));
            return message.isPresent();
        }
    }

    /** Waits for all, and returns whether all are true. Throws a failure once all have ended. */
    private static boolean all(List<CompletableFuture<Boolean>> performances) {
        try {
            CompletableFuture.allOf(performances.toArray(CompletableFuture[]::new))
                    .join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof Error cause) {
                throw cause;
            }
            throw failed;
        }
        return performances.stream().allMatch(CompletableFuture::join);
    }
}
