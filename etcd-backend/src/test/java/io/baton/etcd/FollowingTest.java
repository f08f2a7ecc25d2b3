package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a line is followed, and what the stream of its events proves. */
class FollowingTest {

    private static final String LINE = "/app/locks/orders/";

    private final HandGround context = new HandGround();
    private final Following following = new Following(context, LINE);
    private final Told told = new Told();

    @Test
    void joining_aShortLineThatIsUsedOften_opensOneStreamFromNow() {
        heatUp();
        following.joining();
        following.joining();

        assertThat(context.watches).hasSize(1);
        assertThat(context.watch().from).isZero();
        assertThat(context.watch().range.prefix()).isTrue();
        assertThat(context.watch().range.values()).isFalse();
    }

    @Test
    void joining_aLineWhereNobodyStands_opensNone() {
        for (int i = 0; i < 20; i++) {
            following.joining();
            following.joined(0);
        }

        assertThat(context.watches).isEmpty();
    }

    @Test
    void stream_beforeTheServerWatches_isNone() {
        heatUp();
        following.joining();
        assertThat(following.stream()).isEqualTo(Following.NONE);

        context.watch().create();
        assertThat(following.stream()).isNotEqualTo(Following.NONE);
    }

    @Test
    void follow_whileTheStreamGoesOn_isToldWhoHasGone() {
        long stream = open();
        assertThat(following.follow(told, "me", stream, 20, ahead("a", "b"))).isTrue();

        context.watch().tell(HandWire.gone("a", 21), HandWire.gone("c", 21));

        assertThat(told.removals).containsExactly(Set.of("a", "c"));
    }

    @Test
    void follow_answerThatComesAfterTheEvent_takesOutWhoHasGoneSince() {
        long stream = open();
        context.watch().tell(HandWire.gone("a", 21));

        Set<String> ahead = ahead("a", "b");
        assertThat(following.follow(told, "me", stream, 20, ahead)).isTrue();

        assertThat(ahead).containsExactly("b");
    }

    @Test
    void follow_anOlderEntryOfTheSameKeyHadGoneBefore_isStillAhead() {
        long stream = open();
        context.watch().tell(HandWire.gone("a", 18));

        Set<String> ahead = ahead("a");
        assertThat(following.follow(told, "me", stream, 20, ahead)).isTrue();

        assertThat(ahead).containsExactly("a");
    }

    @Test
    void follow_eventOfAnOlderEntryOfTheSameKeyComesLate_isNotTold() {
        long stream = open();
        assertThat(following.follow(told, "me", stream, 20, ahead("a"))).isTrue();

        context.watch().tell(HandWire.gone("a", 18));
        assertThat(told.removals).isEmpty();

        context.watch().tell(HandWire.gone("a", 21));
        assertThat(told.removals).containsExactly(Set.of("a"));
    }

    @Test
    void follow_ownEntryHasGoneSince_isRefused() {
        long stream = open();
        context.watch().tell(HandWire.gone("me", 21));

        assertThat(following.follow(told, "me", stream, 20, ahead("a"))).isFalse();
    }

    @Test
    void follow_answerToARequestOfAnEarlierStream_isRefused() {
        long old = open();
        context.watch().end(Code.LOST);
        following.joining();
        context.watch().create();

        assertThat(following.stream()).isNotEqualTo(old);
        assertThat(following.follow(told, "me", old, 20, ahead("a"))).isFalse();
    }

    @Test
    void follow_moreHasGoneThanIsKept_isRefused() {
        long stream = open();
        following.follow(told, "other", stream, 20, ahead("z"));
        for (int i = 0; i < 2_000; i++) {
            context.watch().tell(HandWire.gone("gone-" + i, 30 + i));
        }

        assertThat(following.follow(told, "me", stream, 20, ahead("a"))).isFalse();
        assertThat(following.follow(told, "me", stream, 3_000, ahead("a"))).isTrue();
    }

    @Test
    void stream_ended_tellsOfAGapOnceAndOfNothingMore() {
        long stream = open();
        following.follow(told, "me", stream, 20, ahead("a"));

        HandWire.HandWatch broken = context.watch();
        broken.end(Code.LOST);
        broken.tell(HandWire.gone("a", 21));

        assertThat(told.gaps).isOne();
        assertThat(told.removals).isEmpty();
        assertThat(following.isOff()).isTrue();
    }

    @Test
    void joined_manyTimesWithNobodyAhead_dropsTheStream() {
        open();
        for (int i = 0; i < 20; i++) {
            following.joined(0);
        }

        assertThat(context.watching()).isZero();
        assertThat(following.isOff()).isTrue();
    }

    @Test
    void stream_thatServesNobodyHere_isDropped() {
        open();
        for (int i = 0; i < 300; i++) {
            context.watch().tell(HandWire.gone("x" + i, 30 + i));
        }

        assertThat(context.watching()).isZero();
    }

    @Test
    void openFor_quietLine_isOpenUntilThatOneLeaves() {
        following.openFor(told);
        assertThat(told.opened).isZero();
        assertThat(following.stream()).isEqualTo(Following.NONE);
        following.joined(0);
        context.watch().create();
        assertThat(told.opened).isOne();

        assertThat(following.follow(told, "me", following.stream(), 20, ahead("a")))
                .isTrue();
        context.watch().tell(HandWire.gone("a", 21));
        assertThat(told.removals).containsExactly(Set.of("a"));
        following.leave(told);

        assertThat(context.watching()).isZero();
        assertThat(told.gaps).isZero();
    }

    @Test
    void openFor_leftBeforeTheServerWatches_isClosed() {
        following.openFor(told);
        following.leave(told);

        assertThat(context.watching()).isZero();
        assertThat(told.opened + told.gaps).isZero();
    }

    @Test
    void openFor_twoOfOneSession_isOpenUntilBothHaveLeft() {
        Told other = new Told();
        following.openFor(told);
        context.watch().create();
        following.openFor(other);
        assertThat(other.opened).isOne();

        following.leave(told);
        assertThat(context.watching()).isOne();
        following.leave(other);
        assertThat(context.watching()).isZero();
    }

    @Test
    void openFor_lineThatIsUsedOftenFromThenOn_staysOpen() {
        following.openFor(told);
        heatUp();
        following.joining();
        context.watch().create();
        following.leave(told);

        assertThat(context.watches).hasSize(1);
        assertThat(context.watching()).isOne();
    }

    @Test
    void openFor_streamEndsBeforeAnythingIsRead_tellsOfAGap() {
        following.openFor(told);
        context.watch().create();
        context.watch().end(Code.LOST);

        assertThat(told.gaps).isOne();
        assertThat(following.isOff()).isTrue();
    }

    private long open() {
        heatUp();
        following.joining();
        context.watch().create();
        return following.stream();
    }

    private void heatUp() {
        for (int i = 0; i < 4; i++) {
            following.joined(1);
        }
    }

    private static Set<String> ahead(String... keys) {
        return new HashSet<>(Arrays.asList(keys));
    }

    private static final class Told implements Following.Follower {

        final List<Set<String>> removals = new ArrayList<>();
        int opened;
        int gaps;

        @Override
        public void open() {
            opened++;
        }

        @Override
        public void removed(Set<String> keys) {
            removals.add(Set.copyOf(keys));
        }

        @Override
        public void gap() {
            gaps++;
        }
    }
}
