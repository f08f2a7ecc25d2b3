package io.baton.recipes.internal;

import io.baton.Guard;
import io.baton.Hold;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.TextLines;
import java.time.Duration;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A record that says which seats are taken. It may be wrong: a process that is killed does not clear its seat, and a
 * write that others are faster than is given up. A wrong hint costs those that search an attempt. On the loop.
 */
public final class SeatHints {

    private static final String TAKEN = "taken";
    private static final int ATTEMPTS = 5;

    /** The longest that a seat is kept for the sake of its hint. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final RecipeContext context;
    private final RecordKey key;

    /** Creates the hints in this record. */
    public SeatHints(RecipeContext context, RecordKey key) {
        this.context = context;
        this.key = key;
    }

    /** Reads which seats are said to be taken: none, if that cannot be read. */
    CompletableFuture<BitSet> read() {
        return context.records().read(key).thenApply(SeatHints::decode).exceptionally(unreadable -> new BitSet());
    }

    /**
     * Changes the hints while this hold lasts: a process that has lost its seat does not speak of it.
     *
     * @return completes once they are written, or that was given up
     */
    CompletableFuture<Void> write(Hold hold, Consumer<BitSet> change) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        context.loop().after(PATIENCE, () -> done.complete(null));
        attempt(hold, change, ATTEMPTS, done);
        return done;
    }

    private void attempt(Hold hold, Consumer<BitSet> change, int left, CompletableFuture<Void> done) {
        if (done.isDone()) {
            return;
        }
        Futures.onDone(context.records().read(key), (now, failure) -> {
            BitSet taken = failure == null ? decode(now) : new BitSet();
            BitSet before = (BitSet) taken.clone();
            change.accept(taken);
            if (failure != null || taken.equals(before)) {
                done.complete(null);
                return;
            }
            Guard unchanged = now.map(Guard::unchanged).orElseGet(() -> Guard.absent(key));
            Op put = Op.put(key, encode(taken));
            Futures.onDone(
                    context.records().write(List.of(Guard.held(hold), unchanged), List.of(put)), (ok, failed) -> {
                        if (failed == null && !ok && left > 1) {
                            attempt(hold, change, left - 1, done);
                        } else {
                            done.complete(null);
                        }
                    });
        });
    }

    private static byte[] encode(BitSet taken) {
        return new TextLines()
                .add(TAKEN, HexFormat.of().formatHex(taken.toByteArray()))
                .bytes();
    }

    private static BitSet decode(Optional<Item> item) {
        String taken =
                item.map(record -> TextLines.decode(record.value()).get(TAKEN)).orElse("");
        try {
            return BitSet.valueOf(HexFormat.of().parseHex(taken));
        } catch (IllegalArgumentException foreign) {
            return new BitSet();
        }
    }
}
