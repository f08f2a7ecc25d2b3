package io.baton.config.internal.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.StoreUnavailableException;
import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigException;
import io.baton.config.ConfigStore;
import io.baton.config.LiveConfig;
import io.baton.config.Rig;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.Space;
import io.baton.internal.client.DefaultCoordinator;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a canary becomes a change for all, in virtual time; one instance tries it, which has to approve it. */
class CanaryPromotionTest {

    private final Rig rig = new Rig("promotion");
    private final DefaultCoordinator operator = rig.client("operator");
    private final ConfigStore store = ConfigStore.of(operator);
    private LiveConfig tries = rig.open();
    private String canary = "";

    @BeforeEach
    void begin() {
        rig.write("a", "1");
        tries = rig.open(LiveConfig.builder(rig.client("web")).instance("web").approvesCanaries());
        CompletableFuture<Canary> begun = store.edit().put("a", "2").canaryAsync(Map.of(), 100, Duration.ofMinutes(15));
        rig.loop.run();
        canary = begun.join().id();
        assertThat(tries.get("a")).contains("2");
    }

    private String forAll() {
        LiveConfig other = rig.open();
        String value = other.get("a").orElseThrow();
        other.close();
        return value;
    }

    @Test
    void promote_approvedWhileItIsAskedFor_isAChangeForAll() {
        CompletableFuture<ConfigCommit> promoted = store.promoteAsync(canary);
        rig.pass(Duration.ofSeconds(5));
        assertThat(promoted).isNotDone();
        tries.approveCanary(canary);
        rig.pass(Duration.ofSeconds(1));

        assertThat(promoted.join().change()).isEqualTo(1);
        assertThat(forAll()).isEqualTo("2");
    }

    @Test
    void promote_notApprovedInTime_saysByWhom() {
        CompletableFuture<ConfigCommit> promoted = store.promoteAsync(canary);
        rig.pass(Duration.ofSeconds(11));

        assertThatThrownBy(promoted::join)
                .hasCauseInstanceOf(ConfigConflictException.class)
                .hasMessageContaining("web has not approved it");
        tries.approveCanary(canary);
        rig.pass(Duration.ofMinutes(1));
        assertThat(forAll()).isEqualTo("1");
    }

    @Test
    void promote_noInstanceWasChosen_isRefusedAndLeavesTheValues() {
        var unused = store.abortAsync(canary);
        rig.loop.run();
        CompletableFuture<Canary> chosenByNobody =
                store.edit().put("a", "2").canaryAsync(Map.of("zone", "empty"), 100, Duration.ofMinutes(15));
        rig.loop.run();
        CompletableFuture<ConfigCommit> promoted =
                store.promoteAsync(chosenByNobody.join().id());
        rig.pass(Duration.ofSeconds(11));

        assertThatThrownBy(promoted::join)
                .hasCauseInstanceOf(ConfigConflictException.class)
                .hasMessageContaining("no instance was chosen to try it");
        assertThat(forAll()).isEqualTo("1");
    }

    @Test
    void promote_keyWrittenSince_isRefusedThoughAllApprove() {
        rig.write("a", "3");
        tries.approveCanary(canary);
        CompletableFuture<ConfigCommit> promoted = store.promoteAsync(canary);
        rig.pass(Duration.ofSeconds(11));

        assertThatThrownBy(promoted::join)
                .hasCauseInstanceOf(ConfigConflictException.class)
                .hasMessageContaining("'a' was written meanwhile");
        assertThat(forAll()).isEqualTo("3");
        assertThat(tries.status().canary()).contains(canary);
    }

    @Test
    void promote_coordinatorClosedMeanwhile_endsAndWritesNothing() {
        CompletableFuture<ConfigCommit> promoted = store.promoteAsync(canary);
        rig.pass(Duration.ofSeconds(1));
        operator.close();
        rig.loop.run();
        tries.approveCanary(canary);
        rig.pass(Duration.ofSeconds(1));

        assertThatThrownBy(promoted::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreUnavailableException.class);
        assertThat(forAll()).isEqualTo("1");
    }

    @Test
    void promote_nobodyWantsItAnyMore_nothingIsWritten() {
        var space = new Space(ConfigSpace.of(operator, "config"));
        CompletableFuture<ConfigCommit> promoted = CanaryPromotion.of(space, canary, "me", Duration.ofSeconds(10));
        rig.pass(Duration.ofSeconds(1));
        promoted.cancel(false);
        tries.approveCanary(canary);
        rig.pass(Duration.ofMinutes(1));

        assertThat(forAll()).isEqualTo("1");
        assertThat(tries.status().canary()).contains(canary);
    }

    @Test
    void promote_byTwoAtOnce_isOneChange() {
        CompletableFuture<ConfigCommit> one = store.promoteAsync(canary);
        CompletableFuture<ConfigCommit> two =
                ConfigStore.of(rig.client("another")).promoteAsync(canary);
        tries.approveCanary(canary);
        rig.pass(Duration.ofSeconds(11));

        assertThat(one.isCompletedExceptionally()).isNotEqualTo(two.isCompletedExceptionally());
        CompletableFuture<ConfigCommit> refused = one.isCompletedExceptionally() ? one : two;
        assertThatThrownBy(refused::join).hasCauseInstanceOf(ConfigException.class);
        assertThat(forAll()).isEqualTo("2");
    }

    @Test
    void abortAsync_goesBackToTheValuesOfAll() {
        CompletableFuture<Void> ended = store.abortAsync(canary);
        rig.loop.run();

        assertThat(ended).isCompleted();
        assertThat(tries.get("a")).contains("1");
    }
}
