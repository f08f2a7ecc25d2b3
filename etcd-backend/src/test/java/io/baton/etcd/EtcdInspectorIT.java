package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.Settings;
import io.baton.spi.inspect.StoreInspector;
import io.baton.spi.inspect.StoreInspector.NamePage;
import io.baton.testkit.etcd.EtcdExtension;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("etcd")
@Timeout(60)
class EtcdInspectorIT {

    /** Together more than one read gives. */
    private static final int PAGES = 10;

    private static final int OPERATIONS = 120;

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Test
    void names_manyKeysOfOthersThatAreNoText_areLeftOut() throws Exception {
        EtcdAddress address = EtcdAddress.parse(URI.create(etcd.uri()));
        String root = address.key("");
        try (Client jetcd = Client.builder().endpoints(etcd.server().endpoint()).build()) {
            for (int page = 0; page < PAGES; page++) {
                List<Op> puts = new ArrayList<>();
                for (int i = 0; i < OPERATIONS; i++) {
                    byte[] name = ByteBuffer.allocate(2 + Integer.BYTES)
                            .putShort((short) -1)
                            .putInt(page * OPERATIONS + i)
                            .array();
                    puts.add(put(ByteSequence.from(root, UTF_8)
                            .concat(ByteSequence.from(name))
                            .concat(ByteSequence.from(i % 2 == 0 ? "/x" : "", UTF_8))));
                }
                jetcd.getKVClient().txn().Then(puts.toArray(Op[]::new)).commit().get(10, TimeUnit.SECONDS);
            }
        }
        etcd.server().ctl().run("put", root + "a/x", "");
        etcd.server().ctl().run("put", root + "\u00fc/x", "");
        try (StoreInspector inspector = new EtcdInspector(address, Settings.NONE, Duration.ofSeconds(5))) {
            assertThat(inspector.names("", "", 10)).isEqualTo(new NamePage(List.of("a", "\u00fc"), false));
            assertThat(inspector.names("", "", 1)).isEqualTo(new NamePage(List.of("a"), true));
            assertThat(inspector.names("", "a", 1)).isEqualTo(new NamePage(List.of("\u00fc"), false));
        }
    }

    private static Op put(ByteSequence key) {
        return Op.put(key, ByteSequence.EMPTY, PutOption.DEFAULT);
    }
}
