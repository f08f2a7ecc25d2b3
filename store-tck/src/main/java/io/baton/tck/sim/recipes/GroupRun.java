package io.baton.tck.sim.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.MembershipState;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMembership;
import io.baton.recipes.GroupView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Members of a group, which say something else now and then, leave, and join again. Each process observes the group.
 *
 * <p>While a membership is certain to be in, its entry stands. A loss is told, also if the member is in again at once. A
 * view has each member once. In the end all are in, each is told so, and all views are exact; then nothing is left.
 */
class GroupRun extends CoordinatorRun {

    private static final String NAME = "tck";
    static final String LINE = "baton.groups/" + NAME;
    private static final int LEAST = 10;

    private static final long TOLD_NANOS = 1_000_000_000;

    private final List<Watcher> watchers = new ArrayList<>();
    private final List<Joined> joined = new ArrayList<>();
    private Set<String> standing = Set.of();
    private boolean calm;
    private long looked;
    private int said;
    private int views;

    /** A process with its view of the group. */
    static final class Watcher {

        final Member member;
        private final Group group;
        private GroupView view = new GroupView(List.of(), false);
        private @Nullable CompletableFuture<GroupView> size;

        Watcher(Member member, Group group) {
            this.member = member;
            this.group = group;
        }
    }

    /** A membership, and what its program was told of it. */
    static final class Joined {

        final Watcher watcher;
        final GroupMembership membership;
        private String says;
        private boolean closed;
        private @Nullable MembershipState told;
        private MembershipState seen = MembershipState.JOINING;
        int losses;
        private int lossesSeen;
        private boolean owed;
        private long owedAt;

        Joined(Watcher watcher, GroupMembership membership, String says) {
            this.watcher = watcher;
            this.membership = membership;
            this.says = says;
        }

        boolean isOver() {
            return closed || watcher.member.gone();
        }
    }

    GroupRun(long seed) {
        super(seed);
        sim.afterEveryStep(this::check);
    }

    @Override
    List<String> lines() {
        return List.of(LINE);
    }

    @Override
    void begin(Member member) {
        var watcher = new Watcher(member, Group.named(member.baton, NAME));
        watchers.add(watcher);
        watcher.group.onChange(view -> guarded(() -> {
                    watcher.view = view;
                    views++;
                    member.thread.note("sees " + view.current() + " " + view.ids());
                    sim.check(
                            new HashSet<>(view.ids()).size() == view.members().size(),
                            () -> "a member is there twice: " + view);
                })
                .run());
        for (int i = chance.nextInt(1, 3); i > 0; i--) {
            later(member, 500, () -> join(watcher));
        }
    }

    /** Joins once more in this process. */
    final void join(Watcher watcher) {
        if (stopping() || watcher.member.gone()) {
            return;
        }
        String says = "words " + said++;
        var its = new Joined(watcher, watcher.group.join(says), says);
        joined.add(its);
        watcher.member.thread.note("joins as " + its.membership.id());
        its.membership.onState(state -> its.told = state);
        its.membership.onLost(why -> {
            counts.add("losses");
            its.losses++;
        });
        actLater(its);
        joins(its);
    }

    /** A membership has begun. */
    void joins(Joined its) {}

    private void actLater(Joined its) {
        later(its.watcher.member, 3_000, () -> {
            if (calm || its.isOver()) {
                return;
            }
            if (chance.nextInt(3) > 0) {
                counts.add("updates");
                its.says = "words " + said++;
                its.membership.update(its.says);
                actLater(its);
            } else {
                counts.add("leaves");
                close(its);
                later(its.watcher.member, 300, () -> join(its.watcher));
            }
        });
    }

    /** The program leaves. */
    final void close(Joined its) {
        its.closed = true;
        var unused = its.membership.closeAsync();
    }

    // ---- rules

    private void check() {
        if (looked != server.version()) {
            looked = server.version();
            standing = entriesById(LINE).keySet();
        }
        for (Joined its : joined) {
            if (!its.isOver()) {
                check(its);
            }
        }
    }

    private void check(Joined its) {
        String id = its.membership.id();
        boolean certain = !its.membership.remaining().isZero();
        sim.check(
                !certain || standing.contains(id) || server.isMeddledWithClient(its.watcher.member.name),
                () -> id + " is certain to be in for " + its.membership.remaining() + ", and there are " + standing);
        MembershipState now = its.membership.state();
        boolean out = now == MembershipState.JOINING && its.seen != MembershipState.JOINING;
        its.seen = now;
        if (out && !its.owed) {
            its.owed = true;
            its.lossesSeen = its.losses;
        }
        its.owed &= its.losses == its.lossesSeen;
        if (!its.owed || its.watcher.member.process.paused() || out) {
            its.owedAt = sim.now();
        }
        sim.check(sim.now() - its.owedAt < TOLD_NANOS, () -> id + " is out, and nobody was told");
    }

    @Override
    void recover() {
        calm = true;
        await("all are in", () -> present().stream().allMatch(its -> its.told == MembershipState.JOINED));
        await("all see all", () -> living().stream().allMatch(this::isExact));
        living().forEach(watcher ->
                watcher.size = watcher.group.awaitSizeAsync(present().size()));
        await(
                "all know that so many are in",
                () -> living().stream().allMatch(watcher -> watcher.size != null && watcher.size.isDone()));
        sim.runFor(SOON);
        await("all see what was said last", () -> living().stream().allMatch(this::isExact));
        present()
                .forEach(its -> sim.check(
                        its.told == its.membership.state(),
                        () -> its.membership.id() + " is " + its.membership.state() + ", and was told " + its.told));
    }

    private boolean isExact(Watcher watcher) {
        Map<String, String> are = new TreeMap<>();
        present().forEach(its -> are.put(its.membership.id(), its.says));
        Map<String, String> seen = new TreeMap<>();
        watcher.view.members().forEach(member -> seen.put(member.id(), new String(member.data(), UTF_8)));
        return watcher.view.current() && are.equals(seen);
    }

    @Override
    void stop() {
        present().forEach(this::close);
        await("all see that nobody is in", () -> living().stream().allMatch(this::isExact));
    }

    private List<Watcher> living() {
        return watchers.stream().filter(watcher -> !watcher.member.gone()).toList();
    }

    /** The memberships that are to be in. */
    final List<Joined> present() {
        return joined.stream().filter(its -> !its.isOver()).toList();
    }

    @Override
    boolean judge() {
        checkNothingIsLeft();
        return views >= LEAST;
    }
}
