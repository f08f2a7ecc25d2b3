package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.Line;
import io.baton.spi.Place;
import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A line that is followed, reply by reply and event by event. */
class FollowingTest {

    private static final String LINE = "/app/locks/orders";
    private static final String FIRST = "_c_00000000-0000-0000-0000-0000000000bb-lock-0000000001";
    private static final String SECOND = "_c_00000000-0000-0000-0000-0000000000aa-lock-0000000002";
    private static final String LATER = "_c_00000000-0000-0000-0000-0000000000cc-lock-0000999999";

    private final ScriptedWire wire = new ScriptedWire();
    private final List<String> told = new ArrayList<>();
    private ZkSession session;
    private int number = 10;

    @BeforeEach
    void connect() {
        session = wire.session(new DeafListener());
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        session.lengths().note(LINE, 1);
    }

    @Test
    void join_lineSeldomContended_isNotFollowed() {
        for (int i = 0; i < 10; i++) {
            joinAlone();
        }
        for (int i = 0; i < 10; i++) {
            wire.pass(Duration.ofSeconds(30));
            answerAll();
            joinBehindAndLeave(FIRST);
        }

        assertThat(wire.sent).noneMatch(request -> request.startsWith("follow"));
    }

    @Test
    void join_lineOftenContended_sendsTheWatchAhead() {
        heat();
        join();

        assertThat(wire.open()).hasSize(3);
        assertThat(wire.open().get(0)).isEqualTo("follow " + LINE);
        assertThat(wire.open().get(1)).startsWith("create " + LINE);
        assertThat(wire.open().get(2)).isEqualTo("children " + LINE);
    }

    @Test
    void join_longLine_isNotFollowed() {
        String[] many = new String[30];
        Arrays.setAll(many, i -> FIRST.substring(0, FIRST.length() - 2) + (10 + i));
        number = 100;
        for (int i = 0; i < 10; i++) {
            joinBehindAndLeave(many);
        }

        assertThat(wire.sent).noneMatch(request -> request.startsWith("follow"));
    }

    @Test
    void removed_everybodyAhead_isClearWithoutARequest() {
        waitFollowing(FIRST, SECOND);
        int before = wire.sent.size();

        wire.tell(LINE + "/" + SECOND, Change.DELETED);
        assertThat(told).containsExactly("waits");
        wire.tell(LINE + "/" + FIRST, Change.DELETED);

        assertThat(told).containsExactly("waits", "clear");
        assertThat(wire.sent.subList(before, wire.sent.size())).isEmpty();
    }

    @Test
    void created_byWhoeverComesLater_changesNothing() {
        waitFollowing(FIRST);

        wire.tell(LINE + "/" + LATER, Change.CREATED);
        wire.tell(LINE + "/" + FIRST, Change.DELETED);

        assertThat(told).containsExactly("waits", "clear");
    }

    @Test
    void removed_beforeTheListingCame_doesNotMatter() {
        heat();
        join();
        wire.answer("follow " + LINE, Code.OK, null);
        String mine = created();
        wire.tell(LINE + "/" + FIRST, Change.DELETED);
        wire.answer("children " + LINE, Code.OK, List.of(mine, SECOND));
        assertThat(told).containsExactly("waits");

        wire.tell(LINE + "/" + SECOND, Change.DELETED);

        assertThat(told).containsExactly("waits", "clear");
    }

    @Test
    void removed_ownEntry_isGoneAndNeverClear() {
        String mine = waitFollowing(FIRST);

        wire.tell(LINE + "/" + mine, Change.DELETED);
        wire.tell(LINE + "/" + FIRST, Change.DELETED);
        assertThat(told).containsExactly("waits");
        wire.answer("children " + LINE, Code.OK, List.of());

        assertThat(told).containsExactly("waits", "gone");
    }

    @Test
    void contact_broken_endsTheStream() {
        String mine = waitFollowing(FIRST, SECOND);
        wire.lose();
        wire.connect();
        // What the watch tells from now on has a gap before it.
        wire.tell(LINE + "/" + FIRST, Change.DELETED);
        wire.tell(LINE + "/" + SECOND, Change.DELETED);
        assertThat(told).containsExactly("waits");

        wire.answer("read /app", Code.OK, node("/app"));
        wire.answer("children " + LINE, Code.OK, List.of(mine, SECOND));

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).contains("watch " + LINE + "/" + SECOND);
    }

    @Test
    void contact_back_nextJoinOpensANewStream() {
        waitFollowing(FIRST);
        wire.lose();
        wire.connect();
        join();

        assertThat(wire.open()).contains("follow " + LINE);
    }

    @Test
    void watch_refused_waitsForOneOnly() {
        heat();
        join();
        wire.answer("follow " + LINE, Code.NOAUTH, null);
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine, SECOND, FIRST));

        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + FIRST);
        wire.tell(LINE + "/" + SECOND, Change.DELETED);
        assertThat(told).containsExactly("waits");
    }

    @Test
    void listing_olderThanTheStream_isNotRelyedUpon() {
        heat();
        join();
        wire.answer("follow " + LINE, Code.OK, null);
        String prefix = create();
        wire.lose();
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        // Another one joins, and opens a stream, while the first looks for its entry.
        join();
        String mine = prefix.substring(("create " + LINE + "/").length()) + "0000000050";
        wire.answer("multi [/app]", Code.OK, null);
        wire.answer("read " + LINE, Code.OK, node(LINE));
        wire.answer("children " + LINE, Code.OK, List.of(mine, SECOND));
        wire.answer("follow " + LINE, Code.OK, null);
        created();
        wire.answer("read " + LINE + "/" + mine, Code.OK, node(LINE + "/" + mine));
        wire.answer("children " + LINE, Code.OK, List.of(mine));
        told.clear();

        wire.tell(LINE + "/" + SECOND, Change.DELETED);

        // The watch on the nearest one says so, and a listing is to confirm it.
        assertThat(told).isEmpty();
        assertThat(wire.open()).contains("children " + LINE);
    }

    @Test
    void audit_eventNeverCame_endsTheStream() {
        String mine = waitFollowing(FIRST);
        for (int second = 0; second < 90 && told.size() < 2; second++) {
            wire.pass(Duration.ofSeconds(1));
            for (String request : List.copyOf(wire.open())) {
                wire.answer(request, Code.OK, request.startsWith("children") ? List.of(mine) : answer(request));
            }
        }

        assertThat(told).containsExactly("waits", "clear");
        assertThat(session.lostEvents().count()).isOne();
        assertThat(session.lostEvents().newest()).endsWith(FIRST);
    }

    @Test
    void removed_ownHoldThatNobodyHasReleased_isNoReasonToBeClear() {
        leave(follow(FIRST));
        join();
        String holder = created();
        wire.answer("children " + LINE, Code.OK, List.of(holder));
        assertThat(told).containsExactly("clear");
        join();
        String waiter = created();
        wire.answer("children " + LINE, Code.OK, List.of(holder, waiter));

        // The session is being ended, from wherever: its entries go one by one, and the holder has heard nothing yet.
        wire.tell(LINE + "/" + holder, Change.DELETED);

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).contains("children " + LINE);
    }

    /** What is told last of those ahead may be one that was given back: the end of the session takes it, too. */
    @Test
    void removed_ownHoldThatNobodyHasReleasedThenAnotherThatWasGivenBack_isNoReasonToBeClear() {
        leave(follow(FIRST));
        join();
        String holder = created();
        wire.answer("children " + LINE, Code.OK, List.of(holder));
        Place second = join();
        String givenBack = created();
        wire.answer("children " + LINE, Code.OK, List.of(holder, givenBack));
        join();
        String waiter = created();
        wire.answer("children " + LINE, Code.OK, List.of(holder, givenBack, waiter));
        second.leave();

        wire.tell(LINE + "/" + holder, Change.DELETED);
        wire.tell(LINE + "/" + givenBack, Change.DELETED);

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).contains("children " + LINE);
    }

    @Test
    void audit_eventLostAndOthersComeAndGoBehind_findsOutAllTheSame() {
        String stuck = waitFollowing(FIRST);
        // FIRST has gone, and that was never told. Behind the stuck one, others come and give up.
        for (int i = 0; i < 60 && !told.contains("clear"); i++) {
            Place other = session.join(Line.of("locks/orders"), new byte[0], new LinePlaceTest.Unheard());
            while (!wire.open().get(0).startsWith("create")) {
                String request = wire.open().get(0);
                wire.answer(request, Code.OK, answer(request));
            }
            String passing = "_c_00000000-0000-0000-0000-0000000000dd-lock-%010d".formatted(++number);
            String own = created();
            wire.answer("children " + LINE, Code.OK, List.of(stuck, passing, own));
            wire.tell(LINE + "/" + passing, Change.DELETED);
            other.leave();
            passTenSeconds(stuck);
        }

        assertThat(told).endsWith("clear");
    }

    private void passTenSeconds(String stuck) {
        for (int step = 0; step < 50; step++) {
            wire.pass(Duration.ofMillis(200));
            while (!wire.open().isEmpty()) {
                String request = wire.open().get(0);
                wire.answer(request, Code.OK, request.startsWith("children") ? List.of(stuck) : answer(request));
            }
        }
    }

    @Test
    void join_oftenAlone_endsFollowing() {
        Place place = follow(FIRST);
        leave(place);
        for (int i = 0; i < 20; i++) {
            joinAlone();
        }

        assertThat(wire.sent).contains("unwatch " + LINE);
    }

    @Test
    void events_nobodyHereWaits_endFollowing() {
        leave(follow(FIRST));
        for (int i = 0; i < 300; i++) {
            wire.tell(LINE + "/_c_00000000-0000-0000-0000-0000000000cc-lock-" + (2_000_000_000 + i), Change.DELETED);
        }

        assertThat(wire.open()).containsExactly("unwatch " + LINE);
    }

    @Test
    void lines_manyFollowed_theOldestAreDropped() {
        leave(follow(FIRST));
        for (int i = 0; i < 100; i++) {
            session.join(Line.of("locks/other" + i), new byte[0], new LinePlaceTest.Unheard());
        }
        wire.pass(Duration.ZERO);

        assertThat(wire.open()).contains("unwatch " + LINE);
    }

    /** Whoever waits in a line that is dropped lists it. */
    @Test
    void lines_twoFollowedAreDropped_joinsOfOthersAreAllSent() {
        waitIn("one");
        waitIn("two");
        joinOthers(70, () -> {});
        answerEverything();

        assertThat(others()).isEqualTo(70);
        assertThat(wire.sent).contains("unwatch /app/locks/one", "unwatch /app/locks/two");
    }

    @Test
    void lines_twoFollowedAreDroppedAsQueuedJoinsBegin_theseAreAllSent() {
        waitIn("one");
        waitIn("two");
        int many = 3 * RequestWindow.SIZE;
        joinOthers(many, () -> {
            session.followings().of("/app/locks/one");
            session.followings().of("/app/locks/two");
        });
        assertThat(wire.sent).noneMatch(request -> request.startsWith("unwatch"));
        answerEverything();

        assertThat(others()).isEqualTo(many);
        assertThat(wire.sent).contains("unwatch /app/locks/one", "unwatch /app/locks/two");
    }

    @Test
    void lines_manyAndOneIsUsedAllTheTime_thatOneIsFollowedOn() {
        waitIn("one");
        joinOthers(70, () -> session.followings().of("/app/locks/one"));
        wire.pass(Duration.ZERO);

        assertThat(wire.sent).noneMatch(request -> request.startsWith("unwatch"));
    }

    // ---- what the tests are made of

    /** Follows a lock's line, with one who lists it once events may be missing, as a place does that waits there. */
    private void waitIn(String lock) {
        String path = "/app/locks/" + lock;
        session.lengths().note(path, 1);
        Following following = session.followings().of(path);
        while (wire.open().isEmpty()) {
            following.joined(1);
            following.joining();
        }
        wire.answer("follow " + path, Code.OK, null);
        boolean follows = following.follow(
                new Following.Follower() {
                    @Override
                    public void removed(String name) {}

                    @Override
                    public void gap() {
                        session.listings().list(path, (code, listing) -> {});
                    }
                },
                following.stream(),
                1);
        assertThat(follows).isTrue();
    }

    private void joinOthers(int many, Runnable meanwhile) {
        for (int i = 0; i < many; i++) {
            session.join(Line.of("locks/other" + i), new byte[0], new LinePlaceTest.Unheard());
            meanwhile.run();
        }
    }

    /** Answers until nothing is asked any more: no join is allowed. */
    private void answerEverything() {
        wire.pass(Duration.ZERO);
        while (!wire.open().isEmpty()) {
            String request = wire.open().get(0);
            if (request.startsWith("create ")) {
                wire.answer(request, Code.NOAUTH, null);
            } else {
                wire.answer(request, Code.OK, request.startsWith("children ") ? List.of() : answer(request));
            }
            wire.pass(Duration.ZERO);
        }
    }

    /** In how many of the other lines a join was sent. */
    private long others() {
        return wire.sent.stream()
                .filter(request -> request.startsWith("create /app/locks/other"))
                .map(request -> request.substring(0, request.lastIndexOf('/')))
                .distinct()
                .count();
    }

    private Place join() {
        told.clear();
        return session.join(Line.of("locks/orders"), new byte[0], new NotedStanding(told));
    }

    /** Joins a line that is worth following behind these, and waits there; the name of the own entry. */
    private String waitFollowing(String... others) {
        follow(others);
        return mine;
    }

    private String mine = "";

    private Place follow(String... others) {
        heat();
        Place place = join();
        wire.answer("follow " + LINE, Code.OK, null);
        mine = created();
        List<String> names = new ArrayList<>(List.of(others));
        names.add(mine);
        wire.answer("children " + LINE, Code.OK, names);
        assertThat(wire.open()).isEmpty();
        return place;
    }

    private void heat() {
        for (int i = 0; i < 4; i++) {
            joinBehindAndLeave(FIRST);
        }
    }

    private void joinBehindAndLeave(String... others) {
        Place place = join();
        List<String> names = new ArrayList<>(List.of(others));
        names.add(created());
        wire.answer("children " + LINE, Code.OK, names);
        answerAll();
        leave(place);
    }

    private void joinAlone() {
        Place place = join();
        wire.answer("children " + LINE, Code.OK, List.of(created()));
        leave(place);
    }

    private void leave(Place place) {
        place.leave();
        answerAll();
    }

    private void answerAll() {
        while (!wire.open().isEmpty()) {
            String request = wire.open().get(0);
            wire.answer(request, Code.OK, answer(request));
        }
    }

    private static Object answer(String request) {
        boolean read = request.startsWith("read ") || request.startsWith("watch ");
        return read ? node(request.substring(request.indexOf(' ') + 1)) : null;
    }

    private String create() {
        return wire.open().stream()
                .filter(request -> request.startsWith("create " + LINE + "/"))
                .findFirst()
                .orElseThrow();
    }

    /** Answers the create; the name of the entry. */
    private String created() {
        String path = create().substring("create ".length()) + "%010d".formatted(++number);
        wire.answer(create(), Code.OK, node(path));
        return path.substring(LINE.length() + 1);
    }

    private static Node node(String path) {
        return new Node(path, new byte[0], 9, 9, 9, 0, 0, ScriptedWire.SESSION);
    }
}
