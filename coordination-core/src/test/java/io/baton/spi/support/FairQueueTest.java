package io.baton.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairQueueTest {

    private final FairQueue<String> queue = new FairQueue<>();

    @Test
    void poll_oneFlowIsLong_othersTakeTurnsWithIt() {
        add("a", "a1", "a2", "a3");
        add("b", "b1", "b2");
        add("c", "c1");

        assertThat(queue.size()).isEqualTo(6);
        assertThat(polled()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
        assertThat(queue.size()).isZero();
    }

    @Test
    void poll_flowComesLater_itsFirstElementIsServedAfterThoseOfTheFlowsPresent() {
        add("a", "a1", "a2", "a3");
        assertThat(queue.poll()).isEqualTo("a1");
        add("b", "b1");

        assertThat(polled()).containsExactly("a2", "b1", "a3");
    }

    @Test
    void poll_empty_null() {
        assertThat(queue.poll()).isNull();
    }

    @Test
    void add_isThereAlready_keepsItsPlace() {
        add("a", "a1", "a2", "a1");

        assertThat(queue.size()).isEqualTo(2);
        assertThat(polled()).containsExactly("a1", "a2");
    }

    @Test
    void remove_anyElement_theOthersKeepTheirTurns() {
        add("a", "a1", "a2");
        add("b", "b1");
        queue.remove("a", "a1");
        queue.remove("b", "b1");
        queue.remove("b", "b1");
        queue.remove("c", "c1");

        assertThat(queue.size()).isOne();
        assertThat(polled()).containsExactly("a2");
    }

    @Test
    void removeIf_wholeFlowsAndParts_countsWhatIsLeft() {
        add("a", "a1", "a2");
        add("b", "b1");

        queue.removeIf(element -> element.endsWith("1"));

        assertThat(queue.size()).isOne();
        assertThat(polled()).containsExactly("a2");
    }

    @Test
    void clear_leavesNothing() {
        add("a", "a1", "a2");

        queue.clear();

        assertThat(queue.size()).isZero();
        assertThat(queue.poll()).isNull();
    }

    private void add(String flow, String... elements) {
        for (String element : elements) {
            queue.add(flow, element);
        }
    }

    private List<String> polled() {
        var all = new ArrayList<String>();
        for (String next = queue.poll(); next != null; next = queue.poll()) {
            all.add(next);
        }
        return all;
    }
}
