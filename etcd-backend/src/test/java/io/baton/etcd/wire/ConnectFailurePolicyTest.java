package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.Diagnosis.Kind;
import io.baton.etcd.wire.EtcdAddress.Host;
import java.net.URI;
import org.junit.jupiter.api.Test;

class ConnectFailurePolicyTest {

    private static final Host A = new Host("a", 1);
    private static final Host B = new Host("b", 2);

    private final ConnectFailurePolicy policy =
            new ConnectFailurePolicy(EtcdAddress.parse(URI.create("etcd://a:1,b:2/app")), false);

    /** By its attempt, and by the look that shows why it hangs up. */
    @Test
    void giveUpReason_oneMemberIsJudgedTwice_theOtherMayServe() {
        assertThat(policy.giveUpReason(A, new Diagnosis("a hangs up", Kind.HANGS_UP)))
                .isEmpty();
        assertThat(policy.giveUpReason(A, new Diagnosis("a wants TLS", Kind.WRONG)))
                .isEmpty();

        assertThat(policy.giveUpReason(B, new Diagnosis("b is away", Kind.AWAY)))
                .hasValueSatisfying(why -> assertThat(why).hasMessageContaining("a wants TLS"));
    }

    @Test
    void giveUpReason_oneMemberMayRecover_goesOn() {
        policy.giveUpReason(A, new Diagnosis("a wants TLS", Kind.WRONG));

        assertThat(policy.giveUpReason(B, new Diagnosis("b has no leader", Kind.AILING)))
                .isEmpty();
    }
}
