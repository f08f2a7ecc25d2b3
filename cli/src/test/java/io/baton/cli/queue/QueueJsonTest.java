package io.baton.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.LockDelays;
import io.baton.PendingRelease;
import io.baton.QueueEntry;
import io.baton.SemaphoreView;
import io.baton.spi.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueueJsonTest {

    @Test
    void lock_readersAndAWriter_haveTheirClaims() {
        assertThat(QueueJson.lock(
                        List.of(entry(true, 5, Claim.SHARED), entry(false, 6, Claim.EXCLUSIVE)),
                        Optional.empty(),
                        Optional.empty()))
                .isEqualTo("{\"holdAtLeastMillis\":null,\"delayAfterLossMillis\":null,\"restMillis\":null,"
                        + "\"releaseRequest\":null,\"queue\":[{\"position\":1,\"holder\":true,\"token\":5,\"client\":\"c\",\"host\":\"h\","
                        + "\"pid\":7,\"since\":null,\"claim\":\"shared\"},\n"
                        + " {\"position\":2,\"holder\":false,\"token\":6,\"client\":\"c\",\"host\":\"h\",\"pid\":7,"
                        + "\"since\":null,\"claim\":\"exclusive\"}]}");
    }

    @Test
    void lock_withOptions_hasThemAndTheRest() {
        var delays = new LockDelays(Duration.ofMinutes(1), Duration.ZERO, Duration.ofMillis(500), Duration.ZERO);
        assertThat(QueueJson.lock(List.of(), Optional.of(delays), Optional.empty()))
                .isEqualTo("{\"holdAtLeastMillis\":60000,\"delayAfterLossMillis\":0,\"restMillis\":500,"
                        + "\"releaseRequest\":null,\"queue\":[]}");
    }

    @Test
    void lock_askedToBeReleased_hasTheRequest() {
        var asked = new PendingRelease(5, "ops@bastion", "noon\u001b[2J", Instant.parse("2026-03-04T11:57:47Z"));
        assertThat(QueueJson.lock(List.of(), Optional.empty(), Optional.of(asked)))
                .endsWith(",\"releaseRequest\":{\"token\":5,\"by\":\"ops@bastion\",\"since\":\"2026-03-04T11:57:47Z\","
                        + "\"reason\":\"noon\\u001b[2J\"},\"queue\":[]}");
    }

    @Test
    void semaphore_holdersAndWaiters_areOneObject() {
        var view = new SemaphoreView(
                5, 3, List.of(entry(true, 5, Claim.permits(3))), List.of(entry(false, 6, Claim.EXCLUSIVE)));
        assertThat(QueueJson.semaphore(view))
                .isEqualTo("{\"size\":5,\"out\":3,\"holders\":[{\"position\":1,\"holder\":true,\"token\":5,"
                        + "\"client\":\"c\",\"host\":\"h\",\"pid\":7,\"since\":null,\"permits\":3}],"
                        + "\"waiting\":[{\"position\":2,\"holder\":false,\"token\":6,"
                        + "\"client\":\"c\",\"host\":\"h\",\"pid\":7,\"since\":null,\"permits\":null}]}");
    }

    @Test
    void semaphore_notUsedYet_hasNoSize() {
        assertThat(QueueJson.semaphore(new SemaphoreView(0, 0, List.of(), List.of())))
                .isEqualTo("{\"size\":null,\"out\":0,\"holders\":[],\"waiting\":[]}");
    }

    private static QueueEntry entry(boolean holder, long token, Claim claim) {
        return new QueueEntry(holder, token, "c", "h", 7, Optional.empty(), claim);
    }
}
