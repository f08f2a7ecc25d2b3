package io.baton.tck.sim.recipes;

import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.TextLines;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.DoubleBarrier;
import io.baton.recipes.DoubleBarrierRound;
import io.baton.spi.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Parties of a double barrier, one in each process: they enter, work, and leave; some cancel, some close the round.
 *
 * <p>Rounds do not overlap, and what is on record of one stays. A round is entered by as many parties as the barrier has,
 * all of which stand at that moment. It is left together only if two entries of each stand, which go by it. A party is
 * told what is on record. In the end everybody enters and leaves again, and then nothing is left.
 */
final class DoubleBarrierRun extends CoordinatorRun {

    private static final String NAME = "tck";
    private static final String LINE = "baton.inside/" + NAME;
    private static final RecordKey KEY = new RecordKey(DoubleBarrier.TREE, NAME);
    private static final int LEAST = 3;

    private final int parties;
    private final List<Party> all = new ArrayList<>();
    private final Map<Long, Round> rounds = new LinkedHashMap<>();
    private final Map<String, String> members = new HashMap<>();
    private Map<String, List<Entry>> standing = Map.of();
    private boolean calm;
    private long looked;
    private int left;

    /** Somebody who enters again and again. */
    private static final class Party {

        private final Member member;
        private final DoubleBarrier barrier;
        private int left;
        private int unheard;
        private @Nullable CompletableFuture<?> pending;

        Party(Member member, DoubleBarrier barrier) {
            this.member = member;
            this.barrier = barrier;
        }
    }

    /** What is on record of a round. */
    private record Round(boolean entered, List<String> ids, boolean ended, boolean together) {}

    DoubleBarrierRun(long seed) {
        super(seed);
        parties = chance.nextInt(2, 4);
        sim.afterEveryStep(this::check);
    }

    @Override
    List<String> lines() {
        return List.of(LINE);
    }

    @Override
    void begin(Member member) {
        var party = new Party(member, DoubleBarrier.named(member.baton, NAME, parties));
        all.add(party);
        later(member, 500, () -> enter(party));
    }

    private void enter(Party party) {
        if (stopping() || party.member.gone()) {
            return;
        }
        party.member.thread.note("enters");
        CompletableFuture<DoubleBarrierRound> entering = party.barrier.enterAsync();
        party.pending = entering;
        maybeCancel(party, entering);
        Futures.onDone(
                entering,
                (round, failure) -> guarded(() -> {
                            party.pending = null;
                            if (failure == null) {
                                entered(party, round);
                            } else {
                                failed(party, "entering", failure);
                            }
                        })
                        .run());
    }

    private void entered(Party party, DoubleBarrierRound round) {
        BarrierRound entry = round.entry();
        party.member.thread.note(anonymous("entry " + entry));
        counts.add(entry.passed() ? "rounds entered" : "rounds not entered");
        told(entry, entry.passed());
        if (!entry.passed()) {
            later(party.member, 200, () -> enter(party));
        } else if (!calm && chance.nextInt(10) == 0) {
            counts.add("rounds closed");
            party.unheard++;
            later(party.member, 500, () -> {
                round.close();
                later(party.member, 200, () -> enter(party));
            });
        } else {
            later(party.member, 500, () -> leave(party, round));
        }
    }

    private void leave(Party party, DoubleBarrierRound round) {
        party.member.thread.note("leaves");
        CompletableFuture<BarrierRound> leaving = round.leaveAsync();
        party.pending = leaving;
        maybeCancel(party, leaving);
        Futures.onDone(
                leaving,
                (end, failure) -> guarded(() -> {
                            party.pending = null;
                            if (failure == null) {
                                left(party, end);
                            } else {
                                failed(party, "leaving", failure);
                            }
                        })
                        .run());
    }

    private void left(Party party, BarrierRound end) {
        party.member.thread.note(anonymous("end " + end));
        counts.add(end.passed() ? "rounds left together" : "rounds broken inside");
        Round known = rounds.get(end.number());
        sim.check(
                known != null
                        && known.entered
                        && known.ended
                        && known.together == end.passed()
                        && known.ids.equals(end.parties()),
                () -> end + " was told, and the record says " + known);
        party.left += end.passed() ? 1 : 0;
        left += end.passed() ? 1 : 0;
        later(party.member, 200, () -> enter(party));
    }

    /** A party that was told that it has not entered with others is in no round that was entered. */
    private void told(BarrierRound entry, boolean passed) {
        Round known = rounds.get(entry.number());
        boolean alone = !passed && entry.parties().equals(List.of(entry.me()));
        sim.check(
                alone || (known != null && known.entered == passed && known.ids.equals(entry.parties())),
                () -> entry + " was told, and the record says " + known);
        sim.check(
                passed || rounds.values().stream().noneMatch(each -> each.entered && each.ids.contains(entry.me())),
                () -> entry + " was told, and it has entered");
    }

    private void failed(Party party, String what, Throwable failure) {
        Throwable why = known(failure);
        counts.add(what + ": " + why.getClass().getSimpleName());
        if (why instanceof CancellationException || why instanceof OutcomeUnknownException) {
            party.unheard++;
        }
        party.member.thread.note(anonymous(what + " fails: " + why.getMessage()));
        later(party.member, 200, () -> enter(party));
    }

    private void maybeCancel(Party party, CompletableFuture<?> future) {
        if (!calm && chance.nextInt(8) == 0) {
            later(party.member, 1_500, () -> future.cancel(false));
        }
    }

    // ---- rules

    private void check() {
        if (looked == server.version()) {
            return;
        }
        looked = server.version();
        Map<String, List<Entry>> before = standing;
        standing = entriesById(LINE);
        standing.forEach((id, its) -> members.put(id, client(its.get(0))));
        for (Map.Entry<Long, Round> each : recorded().entrySet()) {
            Round is = each.getValue();
            Round was = rounds.put(each.getKey(), is);
            if (!is.equals(was)) {
                sim.note("server", anonymous("round " + each.getKey() + ": " + is));
                changed(each.getKey(), was, is, before);
            }
        }
    }

    private void changed(long number, @Nullable Round was, Round is, Map<String, List<Entry>> before) {
        String what = "round " + number + ": " + was + ", " + is;
        if (was == null) {
            sim.check(number == rounds.size(), () -> what + " is not the next one");
            sim.check(
                    !is.entered || rounds.keySet().stream().allMatch(other -> other == number || ended(other)),
                    () -> what + " was entered beside " + rounds);
            sim.check(!is.entered || is.ids.size() == parties, () -> what + " has other parties than " + parties);
            sim.check(before.keySet().containsAll(is.ids), () -> what + ", and there stood " + before);
        } else {
            sim.check(
                    was.entered && is.entered && !was.ended && is.ended && is.ids.equals(was.ids),
                    () -> what + " was decided before");
            sim.check(
                    !is.together
                            || is.ids.stream()
                                    .allMatch(id ->
                                            before.getOrDefault(id, List.of()).size() == 2),
                    () -> what + ", and there stood " + before);
            sim.check(
                    !is.together || is.ids.stream().noneMatch(standing::containsKey),
                    () -> what + ", and there stand " + standing);
        }
    }

    private boolean ended(long number) {
        Round round = rounds.get(number);
        return round != null && round.ended;
    }

    private Map<Long, Round> recorded() {
        Map<Long, Round> recorded = new LinkedHashMap<>();
        server.record(KEY).ifPresent(item -> {
            Map<String, String> lines = TextLines.decode(item.value());
            lines.forEach((key, text) -> {
                boolean entered = key.startsWith("entered ");
                if (entered || key.startsWith("waited ")) {
                    String number = key.substring(key.indexOf(' ') + 1);
                    boolean together = lines.containsKey("left " + number);
                    boolean ended =
                            together || !lines.getOrDefault("by " + number, "").isEmpty();
                    recorded.put(Long.parseLong(number), new Round(entered, List.of(text.split(" ")), ended, together));
                }
            });
        });
        return recorded;
    }

    @Override
    void recover() {
        calm = true;
        Map<Party, Integer> before = new HashMap<>();
        living().forEach(party -> before.put(party, party.left));
        await(
                "everybody enters and leaves again",
                () -> before.entrySet().stream().allMatch(each -> each.getKey().left > each.getValue()));
    }

    @Override
    void stop() {
        sim.runFor(SOON);
        living().forEach(party -> {
            CompletableFuture<?> pending = party.pending;
            if (pending != null) {
                later(party.member, 100, () -> pending.cancel(false));
            }
        });
        await("everybody is answered", () -> living().stream().allMatch(party -> party.pending == null));
    }

    private List<Party> living() {
        return all.stream().filter(party -> !party.member.gone()).toList();
    }

    @Override
    boolean judge() {
        checkNothingIsLeft();
        for (Party party : living()) {
            long together = rounds.values().stream()
                    .filter(Round::together)
                    .flatMap(round -> round.ids.stream())
                    .filter(id -> party.member.name.equals(members.get(id)))
                    .count();
            sim.check(
                    together <= party.left + party.unheard,
                    () -> party.member.name + " has left " + together + " rounds with the others, and was told of "
                            + party.left);
        }
        return left >= LEAST;
    }
}
