package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.TextLines;
import io.baton.recipes.internal.RecordChange.Step;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Hands out the numbers of one block after the other. Callers that come while a block is being taken wait for it
 * together. On the loop, but for {@link #next}.
 *
 * <p>The record has the first number that is in no block. A block is this object's own once the write that moved that
 * number on was acknowledged. If it was not, the block counts as lost: numbers are skipped, and none is used twice.
 */
public final class NumberBlocks {

    private static final String NEXT = "next";
    private static final long FIRST = 1;

    private final RecipeContext context;
    private final RecordKey key;
    private final int size;

    private final ArrayDeque<CompletableFuture<Long>> waiting = new ArrayDeque<>();
    private final LastWrite last;
    private Block block = new Block(FIRST, FIRST);
    private boolean taking;

    /** The numbers from the first one on, without the end. */
    private record Block(long first, long end) {}

    /** Creates an object that takes blocks of this size. */
    public NumberBlocks(RecipeContext context, RecordKey key, int size) {
        this.context = context;
        this.key = key;
        this.size = size;
        this.last = new LastWrite(context);
    }

    /** Returns the next number. Any thread. Completes on the loop. */
    public CompletableFuture<Long> next() {
        return Futures.callOnLoop(context.loop(), () -> {
            if (context.state() == SessionState.CLOSED) {
                throw RecipeContext.closedException();
            }
            if (waiting.size() == RecordChange.MOST_WAITING) {
                throw new StoreUnavailableException("no number could be taken for " + key + ": "
                        + RecordChange.MOST_WAITING + " others wait for the store");
            }
            CompletableFuture<Long> number = new CompletableFuture<>();
            waiting.add(number);
            serve();
            return number;
        });
    }

    private void serve() {
        while (!waiting.isEmpty() && block.first < block.end) {
            long number = block.first;
            block = new Block(number + 1, block.end);
            waiting.remove().complete(number);
        }
        if (!waiting.isEmpty() && !taking) {
            take();
        }
    }

    private void take() {
        taking = true;
        Futures.onDone(RecordChange.begin(context, key, this::block, last), (taken, failure) -> {
            taking = false;
            if (failure == null) {
                block = taken;
                serve();
            } else {
                fail(Futures.cause(failure));
            }
        });
    }

    private void fail(Throwable why) {
        Throwable told = why instanceof OutcomeUnknownException
                ? new StoreUnavailableException("no numbers could be taken for " + key + ": " + why.getMessage(), why)
                : why;
        List<CompletableFuture<Long>> failed = List.copyOf(waiting);
        waiting.clear();
        failed.forEach(each -> each.completeExceptionally(told));
    }

    private Step<Block> block(Optional<Item> now) {
        long first = now.map(NumberBlocks::decode).orElse(FIRST);
        if (first == Long.MAX_VALUE) {
            throw new CoordinationException(
                    "the sequence of " + key + " has no number left: " + (first - 1) + " was the last one");
        }
        long end = size < Long.MAX_VALUE - first ? first + size : Long.MAX_VALUE;
        return new Step.Put<>(new TextLines().add(NEXT, Long.toString(end)).bytes(), new Block(first, end));
    }

    private static long decode(Item item) {
        long next = TextLines.number(TextLines.decode(item.value()).getOrDefault(NEXT, ""));
        if (next < FIRST) {
            throw new CoordinationException(
                    item.key() + " should have the line 'next=N' of a sequence, and has other text");
        }
        return next;
    }
}
