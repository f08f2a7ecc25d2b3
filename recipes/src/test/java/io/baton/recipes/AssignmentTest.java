package io.baton.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AssignmentTest {

    private static final List<String> TEN =
            IntStream.range(0, 10).mapToObj(i -> "member-" + i).toList();

    @Test
    void ownerOf_membersInAnyOrder_isTheSame() {
        List<String> expected = owners(Assignment.of(TEN, 1_000));
        var random = new Random(4);
        for (int i = 0; i < 10; i++) {
            List<String> shuffled = new ArrayList<>(TEN);
            Collections.shuffle(shuffled, random);

            assertThat(owners(Assignment.of(shuffled, 1_000))).isEqualTo(expected);
        }
    }

    @Test
    void of_aMemberLess_movesOnlyItsPartitions() {
        Assignment before = Assignment.of(TEN, 1_000);
        for (String gone : TEN) {
            List<String> others =
                    TEN.stream().filter(member -> !member.equals(gone)).toList();
            Assignment after = Assignment.of(others, 1_000);
            for (int partition = 0; partition < 1_000; partition++) {
                if (!before.ownerOf(partition).equals(gone)) {
                    assertThat(after.ownerOf(partition)).isEqualTo(before.ownerOf(partition));
                }
            }
            assertThat(after.partitionsOf(gone)).isEmpty();
        }
    }

    @Test
    void partitionsOf_allMembers_isRoughlyEvenAndComplete() {
        Assignment assignment = Assignment.of(TEN, 10_000);

        List<Integer> all = new ArrayList<>();
        for (String member : TEN) {
            List<Integer> its = assignment.partitionsOf(member);
            assertThat(its).isSorted().hasSizeBetween(850, 1_150);
            assertThat(its).allMatch(partition -> assignment.ownerOf(partition).equals(member));
            all.addAll(its);
        }
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 10_000).boxed().toList());
        assertThat(assignment.members()).isEqualTo(TEN);
        assertThat(assignment.partitions()).isEqualTo(10_000);
    }

    /** Programs of different versions work together: these values never change. */
    @Test
    void ownerOf_knownMembers_neverChanges() {
        assertThat(String.join("", owners(Assignment.of(List.of("a", "b", "c"), 16))))
                .isEqualTo("caccabaabcbcabbc");
        assertThat(Assignment.of(List.of("zürich", "東京", "Kraków"), 12).partitionsOf("東京"))
                .containsExactly(2, 5, 7, 8);
    }

    @Test
    void of_oneMember_ownsAll() {
        assertThat(Assignment.of(List.of("only"), 3).partitionsOf("only")).containsExactly(0, 1, 2);
    }

    @Test
    void of_nonsense_isRefused() {
        assertThatThrownBy(() -> Assignment.of(List.of(), 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one member");
        assertThatThrownBy(() -> Assignment.of(List.of("a"), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one partition, not 0");
        assertThatThrownBy(() -> Assignment.of(List.of("a", "b", "a"), 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'a' occurs twice");
        Assignment assignment = Assignment.of(List.of("a"), 3);
        for (int none : List.of(-1, 3)) {
            assertThatThrownBy(() -> assignment.ownerOf(none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no partition " + none + "; they are 0 to 2");
        }
        assertThat(assignment.partitionsOf("b")).isEmpty();
    }

    private static List<String> owners(Assignment assignment) {
        return IntStream.range(0, assignment.partitions())
                .mapToObj(assignment::ownerOf)
                .toList();
    }
}
