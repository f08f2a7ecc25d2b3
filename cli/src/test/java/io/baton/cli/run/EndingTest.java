package io.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import org.junit.jupiter.api.Test;

class EndingTest {

    @Test
    void mandateEnded_commandHasEndedOrDidNotStart_letsACandidateStandAgain() {
        assertThat(Ending.lost(143, "7", "lost").mandateEnded()).isTrue();
        assertThat(Ending.handedOver(0, "7", "handed over").mandateEnded()).isTrue();
        assertThat(Ending.failed(new Failure(Exit.LOST, "lost before it was started"))
                        .mandateEnded())
                .isTrue();
    }

    @Test
    void mandateEnded_commandMayRunOnOrEndedByItself_doesNot() {
        assertThat(Ending.mayRunOn("7", "may still be running").mandateEnded()).isFalse();
        assertThat(Ending.commandEnded(Exit.LOST, "7").mandateEnded()).isFalse();
    }
}
