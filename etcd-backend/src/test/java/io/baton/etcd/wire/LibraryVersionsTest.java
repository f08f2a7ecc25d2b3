package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.etcd.wire.Diagnosis.Kind;
import io.baton.etcd.wire.EtcdAddress.Host;
import io.grpc.Status;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LibraryVersionsTest {

    private static final LinkageError MISSING = new NoClassDefFoundError("io/grpc/InternalGlobalInterceptors");
    private static final Status MISFIT = Status.INTERNAL.withCause(new IllegalStateException(MISSING));

    private final ConnectFailurePolicy policy =
            new ConnectFailurePolicy(EtcdAddress.parse(URI.create("etcd://a:1,b:2,c:3/x")), false);

    @Test
    void text_twoVersions_namesTheJarsOfEach() {
        assertThat(LibraryVersions.text(Map.of("netty", "1.60.0", "api", "1.85.1", "core", "1.60.0")))
                .isEqualTo("1.60.0 (core, netty), 1.85.1 (api)");
    }

    @Test
    void misfit_thisBuild_hasOneVersionOfEachLibrary() {
        assertThat(LibraryVersions.misfit(MISSING))
                .containsPattern("gRPC [0-9.]+ \\(api, core, netty, protobuf, stub, util\\); Netty [0-9.]+Final"
                        + " \\(buffer, codec, codec-http, codec-http2, common, handler, resolver, transport\\)[.]")
                .contains(MISSING.toString(), "import io.baton:baton-bom");
    }

    @Test
    void denied_classesDoNotFit_isFinalAtTheFirstAttempt() {
        assertThat(policy.denied(MISFIT))
                .get()
                .satisfies(refused -> assertThat(refused)
                        .isExactlyInstanceOf(CoordinationException.class)
                        .hasCause(MISSING)
                        .hasMessageStartingWith("cannot use etcd at etcd://a:1,b:2,c:3/x: libraries"));
    }

    @Test
    void denied_classesDoNotFitAfterAContact_isNotFinal() {
        policy.connected();

        assertThat(policy.denied(MISFIT)).isEmpty();
    }

    @Test
    void diagnosis_classesDoNotFit_saysSo() {
        Diagnosis diagnosis = Diagnosis.of(new Host("a", 1), MISFIT, false);

        assertThat(diagnosis.kind()).isEqualTo(Kind.WRONG);
        assertThat(diagnosis.text())
                .startsWith("a:1 cannot be asked: libraries")
                .contains("io.baton:baton-bom");
    }
}
