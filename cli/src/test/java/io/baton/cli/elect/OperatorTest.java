package io.baton.cli.elect;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class OperatorTest {

    private static final String USER = System.getProperty("user.name");

    @Test
    void currentUser_hostHasAName_hasBoth() {
        assertThat(Operator.currentUser(() -> "bastion")).isEqualTo(USER + "@bastion");
    }

    @Test
    void currentUser_hostDoesNotKnowItsName_isTheUserAlone() {
        assertThat(Operator.currentUser(() -> {
                    throw new UnknownHostException("bastion: Name or service not known");
                }))
                .isEqualTo(USER);
    }
}
