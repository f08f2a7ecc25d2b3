package io.baton.election.internal.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.election.HandOverException;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Who is meant by an id. */
class CandidateListTest {

    @Test
    void target_standsBehind_isFound() {
        assertThat(lineup("a", "b", "c").target("entry-0", "c").peer().name()).isEqualTo("entry-2");
    }

    @Test
    void target_theLeaderItself_isFound() {
        assertThat(lineup("a", "b").target("entry-0", "a").peer().name()).isEqualTo("entry-0");
    }

    @Test
    void target_nobodyOfThatId_namesThoseWhoStand() {
        assertThatThrownBy(() -> lineup("a", "", "b").target("entry-0", "x"))
                .isInstanceOf(HandOverException.class)
                .hasMessage("no candidate 'x' stands in the election; these do: 'a', another program's entry-1, 'b'");
    }

    @Test
    void target_twoOfThatId_isRefused() {
        assertThatThrownBy(() -> lineup("a", "b", "c", "b").target("entry-0", "b"))
                .isInstanceOf(HandOverException.class)
                .hasMessageContaining("several candidates call themselves 'b'");
    }

    @Test
    void target_anotherProgramBetween_isRefused() {
        assertThatThrownBy(() -> lineup("a", "", "b").target("entry-0", "b"))
                .isInstanceOf(HandOverException.class)
                .hasMessageContaining("another program's entry, entry-1");
        assertThat(lineup("a", "b", "").target("entry-0", "b").id()).isEqualTo("b");
    }

    @Test
    void target_leaderNotFirst_isRefused() {
        assertThatThrownBy(() -> lineup("a", "b", "c").target("entry-1", "c"))
                .isInstanceOf(HandOverException.class)
                .hasMessageContaining("does not stand first");
        assertThatThrownBy(() -> lineup("a", "b").target("gone", "b")).isInstanceOf(HandOverException.class);
    }

    @Test
    void namesakeAhead_onlyThoseAhead_count() {
        CandidateList twins = lineup("a", "b", "a");
        assertThat(twins.namesakeAhead("a", "stand-2").orElseThrow().peer().name())
                .isEqualTo("entry-0");
        assertThat(twins.namesakeAhead("a", "stand-0")).isEmpty();
        assertThat(twins.namesakeAhead("b", "stand-1")).isEmpty();
        assertThat(twins.has("stand-1")).isTrue();
        assertThat(twins.has("stand-9")).isFalse();
    }

    /** An empty id is another program's. */
    private static CandidateList lineup(String... ids) {
        CandidateEntry[] all = new CandidateEntry[ids.length];
        for (int i = 0; i < ids.length; i++) {
            Peer peer = new Peer(Line.of("elections/boss"), "entry-" + i, i);
            all[i] = new CandidateEntry(peer, ids[i], ids[i].isEmpty() ? "" : "stand-" + i, 0, "host h, pid " + i);
        }
        return new CandidateList(Arrays.asList(all));
    }
}
