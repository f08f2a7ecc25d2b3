package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.recipe.LineMember;
import io.baton.recipes.GroupMember;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupMembersTest {

    private static LineMember entry(int order, byte[] payload) {
        Line line = Line.of("baton.groups/workers", Line.Kind.PERMITS);
        return new LineMember(new Entry(new Peer(line, "entry-" + order, order), order, payload, "session"));
    }

    private static LineMember entry(int order, String id, String data) {
        byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
        return entry(order, GroupEntry.encode(new GroupMember(id, bytes, "web-1", 4711)));
    }

    @Test
    void view_severalEntriesOfAMember_isOneWithTheNewestData() {
        var view = GroupMembers.view(List.of(entry(1, "b", "old"), entry(2, "a", "other"), entry(3, "b", "new")), true);

        assertThat(view.ids()).containsExactly("a", "b");
        assertThat(view.members()).extracting(GroupMember::text).containsExactly("other", "new");
        assertThat(view.members().get(1).host()).isEqualTo("web-1");
        assertThat(view.members().get(1).pid()).isEqualTo(4711);
    }

    @Test
    void view_foreignEntries_areLeftOut() {
        var view = GroupMembers.view(
                List.of(entry(1, new byte[0]), entry(2, new byte[] {'\n', '\n', 1}), entry(3, "a", "")), false);

        assertThat(view.ids()).containsExactly("a");
        assertThat(view.current()).isFalse();
    }
}
