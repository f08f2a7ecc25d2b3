package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.StoreUnavailableException;
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

    @Test
    void of_anythingElse_isADefectAndSaysWhere() {
        Failure failure = Failure.of(new IllegalStateException("oops"));
        assertThat(failure.status()).isEqualTo(Exit.DEFECT);
        assertThat(failure).hasMessageContaining("oops").hasMessageContaining("FailureTest.java");
    }
}
