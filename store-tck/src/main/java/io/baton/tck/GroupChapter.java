package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.MembershipState;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.recipes.Assignment;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMember;
import io.baton.recipes.GroupMembership;
import io.baton.recipes.GroupView;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Members of a group. */
abstract class GroupChapter extends Chapter {

    private static final Line MEMBERS = Line.of("baton.groups/tck", Line.Kind.PERMITS);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    private static Group group(Coordinator baton) {
        return Group.named(baton, "tck");
    }

    private static GroupMembership join(Coordinator baton, String data) throws InterruptedException {
        GroupMembership joined = group(baton).join(data);
        assertThat(joined.awaitJoined(PATIENCE)).isTrue();
        return joined;
    }

    private static List<String> texts(GroupView view) {
        return view.members().stream().map(GroupMember::text).sorted().toList();
    }

    /** The present entries, read by another client. */
    private List<Peer> entries(TckClient looking) throws InterruptedException {
        return looking.ask(session -> session.peers(MEMBERS));
    }

    /** What an observer was told. */
    private static final class Seen {

        private final List<GroupView> views = new CopyOnWriteArrayList<>();

        Seen(Group group) {
            group.onChange(views::add);
        }

        boolean endsIn(String... texts) {
            return !views.isEmpty() && last().current() && texts(last()).equals(List.of(texts));
        }

        GroupView last() {
            return views.get(views.size() - 1);
        }
    }

    @Test
    void join_twoMembers_areSeenUntilTheyLeave() throws Exception {
        Coordinator baton = coordinator();
        Seen seen = new Seen(group(coordinator()));
        soon().until(seen::endsIn);

        GroupMembership a = join(baton, "a");
        soon().until(() -> seen.endsIn("a"));
        GroupMembership b = join(coordinator(), "b");
        soon().until(() -> seen.endsIn("a", "b"));

        GroupView now = group(baton).members();
        assertThat(now).isEqualTo(seen.last());
        assertThat(now.ids()).containsExactlyInAnyOrder(a.id(), b.id());
        assertThat(now.members())
                .allSatisfy(member -> assertThat(member.pid())
                        .isEqualTo(ProcessHandle.current().pid()));
        assertThat(a.state()).isEqualTo(MembershipState.JOINED);
        assertThat(a.remaining()).isPositive();
        a.close();
        assertThat(a.state()).isEqualTo(MembershipState.CLOSED);
        assertThat(a.remaining()).isZero();
        assertThat(texts(group(baton).members())).containsExactly("b");
        soon().until(() -> seen.endsIn("b"));
        outcome(b.closeAsync());
        soon().until(seen::endsIn);
    }

    @Test
    void update_again_isSeenAndTheMemberStaysOne() throws Exception {
        Coordinator baton = coordinator();
        Seen seen = new Seen(group(coordinator()));
        GroupMembership a = join(baton, "a");
        List<String> lost = new CopyOnWriteArrayList<>();
        a.onLost(lost::add);
        soon().until(() -> seen.endsIn("a"));

        a.update("b");
        a.update("c");

        soon().until(() -> seen.endsIn("c"));
        TckClient looking = client();
        soon().until(() -> entries(looking).size() == 1);
        assertThat(seen.last().ids()).containsExactly(a.id());
        assertThat(lost).isEmpty();
    }

    @Test
    void awaitSize_membersCome_returnsThem() throws Exception {
        Coordinator baton = coordinator();
        Group group = group(baton);
        assertThat(group.awaitSize(0, Duration.ZERO)).isPresent();
        assertThat(group.awaitSize(1, Duration.ZERO)).isEmpty();
        assertThat(group.awaitSize(1, Duration.ofMillis(50))).isEmpty();
        Future<GroupView> blocking = threads.submit(() -> group.awaitSize(2));
        CompletableFuture<GroupView> waiting = group.awaitSizeAsync(2);
        CompletableFuture<GroupView> cancelled = group.awaitSizeAsync(2);
        cancelled.cancel(true);

        join(coordinator(), "a");
        stays(() -> !waiting.isDone() && !blocking.isDone());
        join(baton, "b");

        assertThat(texts(outcome(blocking))).containsExactly("a", "b");
        assertThat(texts(outcome(waiting))).containsExactly("a", "b");
        assertThat(group.awaitSize(2, PATIENCE)).isPresent();
    }

    @Test
    void session_expired_isLostAndJoinsAgainAsTheSame() throws Exception {
        Coordinator baton = coordinator();
        Seen seen = new Seen(group(coordinator()));
        GroupMembership a = join(baton, "a");
        List<String> lost = new CopyOnWriteArrayList<>();
        AtomicReference<MembershipState> state = new AtomicReference<>();
        a.onLost(lost::add);
        a.onState(state::set);
        soon().until(() -> state.get() == MembershipState.JOINED);
        TckClient looking = client();
        Peer entry = entries(looking).get(0);

        store().expire(looking.details(entry).orElseThrow().session());

        soon().until(() -> !lost.isEmpty());
        soon().until(() ->
                a.state() == MembershipState.JOINED && !entries(looking).isEmpty());
        assertThat(entries(looking)).hasSize(1).doesNotContain(entry);
        soon().until(() -> state.get() == MembershipState.JOINED);
        soon().until(() -> seen.endsIn("a") && seen.last().ids().equals(List.of(a.id())));
        assertThat(lost).hasSize(1);
    }

    @Test
    void entry_removedByHand_isLostAndJoinsAgain() throws Exception {
        GroupMembership a = join(coordinator(), "a");
        List<String> lost = new CopyOnWriteArrayList<>();
        a.onLost(lost::add);
        TckClient looking = client();
        Peer entry = entries(looking).get(0);

        store().removeEntry(entry);

        soon().until(() -> lost.size() == 1);
        soon().until(() -> a.state() == MembershipState.JOINED);
        assertThat(entries(looking)).hasSize(1).doesNotContain(entry);
    }

    @Test
    void contact_brokenAndRestored_staysInAndSaysThatItMayBeOld() throws Exception {
        Coordinator baton = coordinator();
        Seen seen = new Seen(group(baton));
        GroupMembership a = join(baton, "a");
        List<String> lost = new CopyOnWriteArrayList<>();
        a.onLost(lost::add);
        soon().until(() -> seen.endsIn("a"));
        store().breakContact();
        soon().until(() -> a.state() == MembershipState.JEOPARDY);
        soon().until(() -> !seen.last().current());
        assertThat(texts(seen.last())).containsExactly("a");
        assertThat(a.remaining()).isPositive();

        store().restoreContact();

        soon().until(() -> a.state() == MembershipState.JOINED);
        soon().until(() -> seen.endsIn("a"));
        assertThat(lost).isEmpty();
    }

    @Test
    void partitions_membersComeGoAndAreLost_areServedByThoseThatAreIn() throws Exception {
        GroupMembership a = join(coordinator(), "a");
        List<List<Integer>> ofA = new CopyOnWriteArrayList<>();
        a.onAssignment(64, ofA::add);
        soon().until(() -> last(ofA).size() == 64);
        GroupMembership b = join(coordinator(), "b");
        List<List<Integer>> ofB = new CopyOnWriteArrayList<>();
        b.onAssignment(64, ofB::add);

        Assignment both = Assignment.of(List.of(a.id(), b.id()), 64);
        soon().until(() -> last(ofA).equals(both.partitionsOf(a.id())));
        soon().until(() -> last(ofB).equals(both.partitionsOf(b.id())));
        b.close();
        soon().until(() -> last(ofB).isEmpty() && last(ofA).size() == 64);
        ofA.clear();
        TckClient looking = client();
        store().expire(looking.details(entries(looking).get(0)).orElseThrow().session());

        soon().until(() -> last(ofA).size() == 64);
        assertThat(ofA.get(0)).as("what it served when it was lost").isEmpty();
    }

    private static List<Integer> last(List<List<Integer>> told) {
        return told.isEmpty() ? List.of() : told.get(told.size() - 1);
    }

    @Test
    void members_changeWhileTheObserverIsOutOfContact_endInTheLastState() throws Exception {
        Coordinator others = steadyCoordinator();
        List<GroupMembership> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(join(others, "member " + i));
        }
        Coordinator baton = coordinator();
        Seen seen = new Seen(group(baton));
        CompletableFuture<GroupView> waiting = group(baton).awaitSizeAsync(6);
        soon().until(() -> seen.endsIn("member 0", "member 1", "member 2", "member 3", "member 4"));
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);
        all.get(1).close();
        all.get(2).close();
        join(others, "late");
        CompletableFuture<GroupView> meanwhile = group(baton).awaitSizeAsync(4);
        assertThatThrownBy(() -> group(baton).awaitSize(4, Duration.ofMillis(50)))
                .isInstanceOf(StoreUnavailableException.class);

        store().restoreContact();

        soon().until(() -> seen.endsIn("late", "member 0", "member 3", "member 4"));
        assertThat(texts(outcome(meanwhile))).contains("late");
        assertThat(waiting).isNotDone();
    }

    @Test
    void members_manyComeAndGo_endInTheLastState() throws Exception {
        Coordinator baton = coordinator();
        Seen seen = new Seen(group(coordinator()));
        List<GroupMembership> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            all.add(group(baton).join("member " + i));
        }
        for (int i = 0; i < 30; i++) {
            assertThat(all.get(i).awaitJoined(PATIENCE)).isTrue();
            if (i != 7) {
                var unused = all.get(i).closeAsync();
            }
        }

        soon().until(() -> seen.endsIn("member 7"));
        // Not one twice in a row. A view may come back: "member 7" can be alone at the start, too.
        List<GroupView> views = List.copyOf(seen.views);
        for (int i = 1; i < views.size(); i++) {
            assertThat(views.get(i)).isNotEqualTo(views.get(i - 1));
        }
    }

    @Test
    void coordinator_closed_isOutAndItsWaitsFail() throws Exception {
        Seen seen = new Seen(group(coordinator()));
        Coordinator closing = coordinator();
        GroupMembership a = join(closing, "a");
        soon().until(() -> seen.endsIn("a"));
        CompletableFuture<GroupView> waiting = group(closing).awaitSizeAsync(2);
        Future<GroupView> blocking = threads.submit(() -> group(closing).awaitSize(2));
        assertThat(group(closing).awaitSize(1, PATIENCE)).isPresent();

        closing.close();

        assertThatThrownBy(() -> outcome(waiting)).isInstanceOf(SessionLostException.class);
        assertThatThrownBy(() -> outcome(blocking)).isInstanceOf(SessionLostException.class);
        assertThat(a.state()).isEqualTo(MembershipState.CLOSED);
        a.close();
        soon().until(seen::endsIn);
        assertThatThrownBy(() -> group(closing).join("b").awaitJoined(PATIENCE))
                .isInstanceOf(SessionLostException.class);
    }

    @Test
    void data_anyBytes_areSeenAsTheyAre() throws Exception {
        Coordinator baton = coordinator();
        byte[] odd = {0, '\n', '\n', 'i', 'd', '=', 'x', '\n', '\n', -1, '%'};
        GroupMembership a = group(baton).join(odd);
        GroupMembership empty = group(baton).join("");
        assertThat(a.awaitJoined(PATIENCE) && empty.awaitJoined(PATIENCE)).isTrue();

        assertThat(group(baton).members().members())
                .extracting(GroupMember::data)
                .containsExactlyInAnyOrder(odd, new byte[0]);
        assertThatThrownBy(() -> group(baton).join(new byte[Group.MAX_DATA_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> a.update(new byte[Group.MAX_DATA_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
