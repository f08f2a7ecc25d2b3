package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.EtcdWire.Range;
import io.baton.testkit.etcd.EtcdExtension;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The simulated wire and servers answer and tell the same as the real ones. */
@Tag("etcd")
@Timeout(300)
abstract class SimEtcdAgreementContract {

    private static final Duration LONG = Duration.ofMinutes(10);

    abstract EtcdExtension etcd();

    @Test
    void put_existingKeyWithAnotherLease_movesItToThatLease() {
        agree(client -> {
            client.grant("A", LONG);
            client.grant("B", LONG);
            client.write(client.put("moved", "1", "A"));
            client.write(client.put("stays", "1", "A"));
            client.write(client.put("freed", "1", "A"));
            client.watch(Range.below(client.key("")), 0);
            client.write(client.put("moved", "2", "B"));
            client.write(client.put("freed", "2", ""));
            client.read(Range.below(client.key("")));
            client.revoke("A");
            client.read(Range.below(client.key("")));
            client.write(client.put("moved", "3", "A"));
            client.read(Range.below(client.key("")));
            client.grant("C", LONG);
            client.write(client.put("moved", "4", "C"), client.put("freed", "3", "C"), client.put("new", "1", "B"));
            client.write(client.put("moved", "5", "B"), client.delete("freed"), client.put("new", "2", "C"));
            client.revoke("C");
            client.read(Range.below(client.key("")));
            client.keepAlive("B");
            client.revoke("B");
            client.read(Range.below(client.key("")));
            client.fence();
        });
    }

    private void agree(Consumer<AgreementClient> script) {
        List<String> simulated = play(new SimAgreementRig(1), script);
        List<String> real = play(new LiveAgreementRig(etcd().server()), script);
        assertThat(simulated).isEqualTo(real);
    }

    private List<String> play(AgreementRig rig, Consumer<AgreementClient> script) {
        try (var client = new AgreementClient(rig, etcd().root())) {
            script.accept(client);
            return client.lines();
        }
    }
}
