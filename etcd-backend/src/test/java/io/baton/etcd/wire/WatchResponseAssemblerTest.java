package io.baton.etcd.wire;

import static io.baton.etcd.HandWire.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Event;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchResponseAssemblerTest {

    private final WatchResponseAssembler fragments = new WatchResponseAssembler();

    @Test
    void add_whole_isPassedOn() {
        assertThat(revisions(fragments.add(List.of(put("a", "", 5), put("b", "", 6)), false)))
                .containsExactly(5L, 6L);
    }

    @Test
    void add_pieceEndsInARevision_itWaitsForTheRest() {
        assertThat(revisions(fragments.add(List.of(put("a", "", 5), put("b", "", 6)), true)))
                .containsExactly(5L);
        assertThat(revisions(fragments.add(List.of(put("c", "", 6)), true))).isEmpty();
        assertThat(revisions(fragments.add(List.of(put("d", "", 6), put("e", "", 7)), false)))
                .containsExactly(6L, 6L, 6L, 7L);
        assertThat(revisions(fragments.add(List.of(put("f", "", 8)), false))).containsExactly(8L);
    }

    @Test
    void add_emptyPiece_changesNothing() {
        assertThat(fragments.add(List.of(), true)).isEmpty();
        fragments.add(List.of(put("a", "", 5)), true);
        assertThat(revisions(fragments.add(List.of(), false))).containsExactly(5L);
    }

    private static List<Long> revisions(List<Event> events) {
        return events.stream().map(Event::revision).toList();
    }
}
