package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import io.baton.recipe.RecordConflictException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FailureTest {

    @Test
    void of_storeNotReachable_isUnavailable() {
        Failure failure = Failure.of(new StoreUnavailableException("no contact with h:1"));
        assertThat(failure.status()).isEqualTo(Exit.UNAVAILABLE);
        assertThat(failure).hasMessage("no contact with h:1");
    }

    @Test
    void of_illegalArgument_isUsage() {
        assertThat(Failure.of(new IllegalArgumentException("ttl too short")).status())
                .isEqualTo(Exit.USAGE);
    }

    /** No option makes sense of it. */
    @Test
    void of_recordWithOtherText_isUnavailable() {
        Failure failure = Failure.of(new CoordinationException(
                "counters/x should have the line 'value=N' of a counter", new NumberFormatException("x")));
        assertThat(failure.status()).isEqualTo(Exit.UNAVAILABLE);
    }

    @Test
    void of_timingsThatTheServersDoNotGrant_isUsage() {
        Failure failure = Failure.of(new CoordinationException(
                "the session has a timeout of 500 ms", new IllegalArgumentException("it takes at least 2 s")));
        assertThat(failure.status()).isEqualTo(Exit.USAGE);
    }

    @Test
    void conflictOr_recipeRefuses_isAConflict() throws InterruptedException {
        try {
            var unused = Futures.interruptibly(
                    CompletableFuture.failedFuture(new RecordConflictException("latch 'x' is not open")));
            throw new AssertionError("it has failed");
        } catch (CoordinationException refused) {
            assertThat(Failure.conflictOr(refused))
                    .isInstanceOfSatisfying(
                            Failure.class,
                            failure -> assertThat(failure.status()).isEqualTo(Exit.CONFLICT))
                    .hasMessage("latch 'x' is not open");
        }
    }

    @Test
    void conflictOr_storeRefuses_isNone() {
        var mayNot = new CoordinationException("NOAUTH");
        assertThat(Failure.conflictOr(mayNot)).isSameAs(mayNot);
        assertThat(Failure.of(mayNot).status()).isEqualTo(Exit.UNAVAILABLE);
    }

    @Test
    void of_anythingElse_isADefectAndSaysWhere() {
        Failure failure = Failure.of(new IllegalStateException("oops"));
        assertThat(failure.status()).isEqualTo(Exit.DEFECT);
        assertThat(failure).hasMessageContaining("oops").hasMessageContaining("FailureTest.java");
    }
}
