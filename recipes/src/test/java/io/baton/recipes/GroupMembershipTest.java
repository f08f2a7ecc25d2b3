package io.baton.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.MembershipState;
import io.baton.SessionLostException;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a member is told of itself while it waits. */
@Timeout(120)
class GroupMembershipTest {

    private static final String STORE = "group-membership";
    private static final Duration LONG = Duration.ofSeconds(60);

    private Coordinator baton;
    private GroupMembership member;

    @BeforeEach
    void join() throws InterruptedException {
        baton = Coordinator.connect(
                "mem:" + STORE,
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(2)).build());
        member = Group.named(baton, "workers").join("a");
    }

    @AfterEach
    void close() {
        baton.close();
        MemoryStore.drop(STORE);
    }

    @Test
    void awaitJoined_lostWhileTheStoreIsOutOfReach_isFalseUntilItIsInAgain() throws InterruptedException {
        assertThat(member.awaitJoined(LONG)).isTrue();
        MemoryStore.named(STORE).suspend();
        await().atMost(LONG).until(() -> member.state() == MembershipState.JOINING);

        assertThat(member.awaitJoined(Duration.ofMillis(50))).isFalse();
        assertThat(member.awaitJoined(Duration.ZERO)).isFalse();

        MemoryStore.named(STORE).resume();
        assertThat(member.awaitJoined(LONG)).isTrue();
        assertThat(member.joinedAsync()).succeedsWithin(LONG);
    }

    @Test
    void awaitJoined_closed_saysSo() throws InterruptedException {
        assertThat(member.awaitJoined(LONG)).isTrue();

        member.close();

        assertThatThrownBy(() -> member.awaitJoined(LONG))
                .isInstanceOf(SessionLostException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void awaitJoined_asGoodAsUnlimited_isAccepted() throws InterruptedException {
        assertThat(member.awaitJoined(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    }
}
