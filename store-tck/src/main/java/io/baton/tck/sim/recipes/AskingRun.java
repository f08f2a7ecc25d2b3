package io.baton.tck.sim.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.TextLines;
import io.baton.recipes.Asking;
import io.baton.recipes.NotAnsweredException;
import io.baton.recipes.Question;
import io.baton.recipes.QuestionFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Processes that ask each other, some of the questions more than once, and most of which serve. A handler's answer says
 * under which token it ran. At the end the whole history of the record is checked step by step.
 */
final class AskingRun extends RecipeRun {

    private static final String NAME = "tck";
    private static final RecordKey KEY = new RecordKey(Asking.TREE, NAME);
    private static final int MOST = 24;
    private static final int LEAST = 6;

    private final Map<Member, Asking> askings = new LinkedHashMap<>();
    private final Set<Member> serving = new HashSet<>();
    private final List<Ask> asks = new ArrayList<>();
    private final List<Execution> executions = new ArrayList<>();
    private int questions;

    /** A call that asks, and what came of it. */
    private static final class Ask {

        private final Member member;
        private final String id;
        private @Nullable String answer;
        private @Nullable Throwable failure;

        Ask(Member member, String id) {
            this.member = member;
            this.id = id;
        }

        boolean isOver() {
            return answer != null || failure != null;
        }

        /** Whether this call may have caused the handler to run, as far as the caller knows. */
        boolean mayHaveBegun() {
            return failure instanceof NotAnsweredException why
                    ? why.mayHaveBegun()
                    : !(failure instanceof StoreUnavailableException);
        }
    }

    /** A call of a handler. */
    private record Execution(String id, long token, String result) {}

    /** A line of the record. */
    private record Step(String state, int attempts, long token, String id) {

        static Step of(String text) {
            String[] parts = text.split(" ", 7);
            return new Step(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]), parts[6]);
        }

        boolean isAnswered() {
            return state.equals("answered") || state.equals("failed");
        }
    }

    AskingRun(long seed) {
        super(seed);
    }

    @Override
    void begin(Member member) {
        Asking asking = Asking.named(member.baton, NAME);
        askings.put(member, asking);
        if (chance.nextInt(4) > 0) {
            serve(member, asking);
        }
    }

    private void serve(Member member, Asking asking) {
        serving.add(member);
        Subscription server = asking.serve(question -> answer(member, question));
        if (chance.nextInt(3) == 0) {
            later(Duration.ofMillis(chance.nextInt(6_000)), () -> {
                if (!member.dead()) {
                    sim.note(member.name, "serves no more");
                    counts.add("servers closed");
                    serving.remove(member);
                    Callbacks.within(server::close); // does not wait there
                }
            });
        }
    }

    private byte[] answer(Member member, Question question) {
        String result = question.id() + " under " + question.token();
        executions.add(new Execution(question.id(), question.token(), result));
        sim.note(member.name, "runs " + result);
        if (question.attempt() > 1) {
            counts.add("questions begun again");
        }
        if (chance.nextInt(6) == 0) {
            throw new IllegalStateException(result);
        }
        return result.getBytes(UTF_8);
    }

    @Override
    void act(Member member) {
        if (questions == MOST) {
            return;
        }
        String id = "question " + questions++;
        ask(member, id);
        while (chance.nextInt(3) == 0) {
            List<Member> all = living();
            Member other = all.get(chance.nextInt(all.size()));
            later(Duration.ofMillis(chance.nextInt(3_000)), () -> ask(other, id));
        }
    }

    private void ask(Member member, String id) {
        var ask = new Ask(member, id);
        asks.add(ask);
        Duration patience = Duration.ofMillis(chance.nextInt(200, 6_000));
        sim.note(member.name, "asks " + id + " for " + patience);
        var answer = requireNonNull(askings.get(member)).askAsync(id, id.getBytes(UTF_8), patience);
        if (chance.nextInt(10) == 0) {
            later(Duration.ofMillis(chance.nextInt(1_000)), () -> {
                if (!member.dead()) {
                    answer.cancel(false);
                }
            });
        }
        Futures.onDone(answer, (bytes, failure) -> {
            Throwable why = failure == null ? null : Futures.cause(failure);
            ask.failure = why;
            if (failure == null) {
                ask.answer = new String(bytes, UTF_8);
            } else if (why instanceof QuestionFailedException handlers) {
                ask.answer = String.valueOf(handlers.getMessage());
            }
            String what = ask.answer != null ? "answered" : String.valueOf(why);
            counts.add(
                    why == null || ask.answer != null
                            ? "questions answered"
                            : "questions: " + why.getClass().getSimpleName());
            sim.note(member.name, id + ": " + what);
        });
    }

    @Override
    boolean judge() {
        for (Ask each : asks) {
            sim.check(each.isOver() || each.member.dead(), () -> each.id + " of " + each.member.name + " never ended");
        }
        var perHold = new HashSet<String>();
        executions.forEach(each -> sim.check(
                perHold.add(each.id + " " + each.token), () -> each.result + " was run twice under one hold"));
        asks.stream().map(each -> each.id).distinct().forEach(this::judge);
        judgeHistory();
        return asks.stream().filter(each -> each.answer != null).count() >= LEAST;
    }

    private void judge(String id) {
        List<Ask> its = asks.stream().filter(each -> each.id.equals(id)).toList();
        List<String> answers = its.stream()
                .flatMap(each -> Stream.ofNullable(each.answer))
                .map(text -> text.substring(text.indexOf("question")))
                .distinct()
                .toList();
        sim.check(answers.size() <= 1, () -> id + " has several answers: " + answers);
        List<Execution> runs =
                executions.stream().filter(each -> each.id.equals(id)).toList();
        answers.forEach(text -> sim.check(
                runs.stream().anyMatch(each -> each.result.equals(text)), () -> "nobody has answered " + text));
        sim.check(
                runs.isEmpty() || its.stream().anyMatch(Ask::mayHaveBegun),
                () -> id + " was begun, and all that asked were told that it was not");
    }

    private void judgeHistory() {
        Map<Long, Step> before = Map.of();
        Map<Long, byte[]> answered = new HashMap<>();
        for (int writes = 1; writes <= history.writes(); writes++) {
            Map<Long, Step> now = steps(writes);
            Set<Long> held = history.heldAt(writes);
            for (var each : now.entrySet()) {
                Step was = before.get(each.getKey());
                Step is = each.getValue();
                if (was != null && !was.equals(is)) {
                    sim.check(held.contains(is.token), () -> is + " was written after the hold was lost");
                    sim.check(!was.isAnswered(), () -> was + " was answered, and then " + is);
                    sim.check(
                            is.token > was.token || is.attempts == was.attempts, () -> was + " was followed by " + is);
                }
                if (is.isAnswered()) {
                    byte[] text = text(writes, each.getKey());
                    byte[] first = answered.putIfAbsent(each.getKey(), text);
                    sim.check(first == null || Arrays.equals(first, text), () -> is + " has another answer");
                }
            }
            before = now;
        }
        sim.check(
                history.size(Asking.TEXTS) == before.size(),
                () -> history.size(Asking.TEXTS) + " texts have stayed, of other questions than those on record");
        if (living().stream().anyMatch(serving::contains)) {
            before.forEach((number, step) ->
                    sim.check(step.isAnswered(), () -> "question " + number + " stays without an answer: " + step));
        }
    }

    private byte[] text(int writes, long number) {
        return history.at(writes, new RecordKey(Asking.TEXTS, NAME + "/" + number))
                .map(Item::value)
                .orElseThrow(() -> new AssertionError("the answer to " + number + " is missing"));
    }

    private Map<Long, Step> steps(int writes) {
        Map<Long, Step> steps = new TreeMap<>();
        history.at(writes, KEY)
                .ifPresent(item -> TextLines.decode(item.value()).forEach((line, text) -> {
                    if (!line.equals("asked")) {
                        steps.put(Long.parseLong(line), Step.of(text));
                    }
                }));
        return steps;
    }
}
