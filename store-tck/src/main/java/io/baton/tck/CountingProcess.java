package io.baton.tck;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import io.baton.recipes.Counter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

/**
 * A process of its own that counts operations in rounds. It prints a line once it is connected. For each line of its input,
 * the first number of a round and the one after the last, it repeats each operation until it is known to be counted, and
 * prints what became of them. It ends with its input.
 */
public final class CountingProcess {

    static final String COUNTER = "operations";

    private final Counter counter;
    private final String name;

    /** Those of this round that may have been counted. */
    private final Set<String> inDoubt = new HashSet<>();

    private int notApplied;
    private int unknown;
    private int countedBefore;

    private CountingProcess(Counter counter, String name) {
        this.counter = counter;
        this.name = name;
    }

    /**
     * Takes the store's URI, the name of this process, and whether another one of this name was killed: that one may have
     * counted operations of the first round.
     */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        CoordinatorOptions patient = CoordinatorOptions.builder()
                .connectTimeout(Duration.ofMinutes(5))
                .build();
        var input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        try (Coordinator baton = Coordinator.connect(arguments[0], patient)) {
            var process = new CountingProcess(Counter.named(baton, COUNTER), arguments[1]);
            boolean goesOn = Boolean.parseBoolean(arguments[2]);
            System.out.println("connected");
            for (String round = input.readLine(); round != null; round = input.readLine()) {
                String[] bounds = round.split(" ", -1);
                process.count(Integer.parseInt(bounds[0]), Integer.parseInt(bounds[1]), goesOn);
                goesOn = false;
            }
        }
    }

    private void count(int first, int end, boolean goesOn) throws InterruptedException {
        notApplied = 0;
        unknown = 0;
        countedBefore = 0;
        inDoubt.clear();
        List<String> ids =
                IntStream.range(first, end).mapToObj(i -> name + "-" + i).toList();
        if (goesOn) {
            inDoubt.addAll(ids);
        }
        List<String> left = ids;
        while (!left.isEmpty()) {
            left = attempt(left);
        }
        System.out.println(notApplied + " " + unknown + " " + countedBefore);
    }

    /** Returns those that are not known to be counted. */
    private List<String> attempt(List<String> ids) throws InterruptedException {
        Map<String, CompletableFuture<Boolean>> adding = new LinkedHashMap<>();
        ids.forEach(id -> adding.put(id, counter.addOnceAsync(1, id)));
        Set<String> counted = new HashSet<>();
        for (Map.Entry<String, CompletableFuture<Boolean>> each : adding.entrySet()) {
            if (isCounted(each.getKey(), each.getValue())) {
                counted.add(each.getKey());
            }
        }
        return ids.stream().filter(id -> !counted.contains(id)).toList();
    }

    private boolean isCounted(String id, CompletableFuture<Boolean> adding) throws InterruptedException {
        try {
            if (!adding.get()) {
                if (!inDoubt.contains(id)) {
                    throw new IllegalStateException(id + " is said to have been counted before");
                }
                countedBefore++;
            }
            return true;
        } catch (ExecutionException failed) {
            Throwable why = Futures.cause(failed);
            if (why instanceof OutcomeUnknownException) {
                inDoubt.add(id);
                unknown++;
            } else if (why instanceof StoreUnavailableException) {
                notApplied++;
            } else {
                throw new IllegalStateException(id + " failed", why);
            }
            return false;
        }
    }
}
