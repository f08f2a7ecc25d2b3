package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.MembershipState;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.LineAccess;
import io.baton.recipe.Membership;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.recipes.GroupMember;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A member whose state is what the test says. */
class JoinedMemberTest {

    private MembershipState state = MembershipState.JOINING;
    private Membership.Listener listener = Membership.Listener.NONE;

    private JoinedMember join() {
        Membership membership =
                Stub.of(Membership.class, Map.of("publish", arguments -> null, "state", arguments -> state));
        LineAccess lines = Stub.of(LineAccess.class, Map.of("join", arguments -> {
            listener = (Membership.Listener) arguments[1];
            return membership;
        }));
        Loop loop = Stub.of(Loop.class, Map.of("execute", arguments -> {
            ((Runnable) arguments[0]).run();
            return null;
        }));
        Callbacks callbacks = Stub.of(
                Callbacks.class, Map.of("completeInCallback", arguments -> (CompletableFuture<?>) arguments[0]));
        RecipeContext context = Stub.of(
                RecipeContext.class,
                Map.of(
                        "loop", arguments -> new ClientLoop(loop),
                        "lines", arguments -> lines,
                        "callbacks", arguments -> callbacks));
        return JoinedMember.join(context, Resource.group("workers"), new GroupMember("a", new byte[0], "web-1", 1));
    }

    private void becomes(MembershipState next) {
        state = next;
        listener.changed(next, "");
    }

    @Test
    void awaitJoined_joinsWithoutContact_isInWhileInJeopardy() throws InterruptedException {
        JoinedMember member = join();
        assertThat(member.awaitJoined(Duration.ZERO)).isFalse();

        becomes(MembershipState.JEOPARDY);

        assertThat(member.joinedAsync()).isCompleted();
        assertThat(member.awaitJoined(Duration.ZERO)).isTrue();
        becomes(MembershipState.JOINING);
        assertThat(member.awaitJoined(Duration.ZERO)).isFalse();
        becomes(MembershipState.JEOPARDY);
        assertThat(member.awaitJoined(Duration.ZERO)).isTrue();
    }
}
