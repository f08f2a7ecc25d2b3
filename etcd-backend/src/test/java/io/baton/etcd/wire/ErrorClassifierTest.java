package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a failure says of the request: that it was not applied, or nothing. */
class ErrorClassifierTest {

    @Test
    void of_ok_isNoFault() {
        assertThat(ErrorClassifier.of(Status.OK)).isSameAs(Fault.NONE);
    }

    /** A connection that breaks, a deadline and a member that stops are no answer: the request may have been applied. */
    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"OK", "PERMISSION_DENIED", "UNAUTHENTICATED", "INVALID_ARGUMENT", "OUT_OF_RANGE", "UNIMPLEMENTED"})
    void of_statusThatDoesNotSayNotApplied_isLost(Status.Code code) {
        assertThat(ErrorClassifier.of(code.toStatus()).code()).isEqualTo(Code.LOST);
        assertThat(ErrorClassifier.of(code.toStatus().withDescription("etcdserver: request timed out")))
                .isEqualTo(new Fault(Code.LOST, "etcdserver: request timed out"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PERMISSION_DENIED", "UNAUTHENTICATED"})
    void of_statusOfAccess_isDenied(Status.Code code) {
        assertThat(ErrorClassifier.of(code.toStatus())).isEqualTo(new Fault(Code.DENIED, code.name()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"INVALID_ARGUMENT", "OUT_OF_RANGE", "UNIMPLEMENTED"})
    void of_statusOfARequestThatCannotBe_isRefused(Status.Code code) {
        assertThat(ErrorClassifier.of(code.toStatus().withDescription("etcdserver: key is not provided")))
                .isEqualTo(new Fault(Code.REFUSED, "etcdserver: key is not provided"));
    }

    /** Some of these come without their status. */
    @ParameterizedTest
    @CsvSource({
        "NO_LEASE, etcdserver: requested lease not found",
        "TOO_LARGE, etcdserver: too many operations in txn request",
        "TOO_LARGE, etcdserver: request is too large",
        "OVERLOADED, etcdserver: too many requests",
        "DENIED, etcdserver: user name is empty",
        "DENIED, etcdserver: permission denied",
        "DENIED, etcdserver: invalid auth token",
        "DENIED, etcdserver: revision of auth store is old",
        "COMPACTED, etcdserver: mvcc: required revision has been compacted",
        "NO_SPACE, etcdserver: mvcc: database space exceeded"
    })
    void of_messageThatIsKnown_saysMoreThanTheStatus(Code code, String message) {
        assertThat(ErrorClassifier.of(Status.UNKNOWN.withDescription(message))).isEqualTo(new Fault(code, message));
        assertThat(ErrorClassifier.of(Status.UNAVAILABLE.withDescription(message)))
                .isEqualTo(new Fault(code, message));
    }

    @Test
    void of_resourceExhausted_isTooLargeOnlyIfTheMessageWas() {
        String tooLarge = "grpc: received message larger than max (2097200 vs. 1572864)";
        assertThat(ErrorClassifier.of(Status.RESOURCE_EXHAUSTED.withDescription(tooLarge)))
                .isEqualTo(new Fault(Code.TOO_LARGE, tooLarge));
        assertThat(ErrorClassifier.of(Status.RESOURCE_EXHAUSTED.withDescription("no memory")))
                .isEqualTo(new Fault(Code.LOST, "no memory"));
        assertThat(ErrorClassifier.of(Status.UNAVAILABLE.withDescription(tooLarge))
                        .code())
                .isEqualTo(Code.LOST);
    }

    @Test
    void cancelled_compacted_saysAtWhichRevision() {
        assertThat(ErrorClassifier.cancelled("etcdserver: permission denied", 1))
                .isEqualTo(new Fault(Code.COMPACTED, "compacted at revision 1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rpc error: code = PermissionDenied desc = etcdserver: permission denied",
                "etcdserver: invalid auth token",
                "etcdserver: user name not found"
            })
    void cancelled_forWantOfAccess_isDenied(String reason) {
        assertThat(ErrorClassifier.cancelled(reason, 0))
                .isEqualTo(new Fault(Code.DENIED, "the server cancelled the watch: " + reason));
    }

    @Test
    void cancelled_forAnotherReason_isLost() {
        assertThat(ErrorClassifier.cancelled("etcdserver: no leader", 0))
                .isEqualTo(new Fault(Code.LOST, "the server cancelled the watch: etcdserver: no leader"));
        assertThat(ErrorClassifier.cancelled("", 0)).isEqualTo(new Fault(Code.LOST, "the server cancelled the watch"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcdserver: no leader",
                "etcdserver: server stopped",
                "etcdserver: not capable",
                "etcdserver: unhealthy cluster",
                "etcdserver: corrupt cluster",
                "etcdserver: rpc not supported for learner"
            })
    void useless_memberThatCanServeNobody_isLeft(String message) {
        assertThat(ErrorClassifier.useless(message)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcdserver: too many requests", "etcdserver: permission denied", "UNAVAILABLE", ""})
    void useless_memberThatRefusesOneRequest_isKept(String message) {
        assertThat(ErrorClassifier.useless(message)).isFalse();
    }

    @Test
    void text_statusWithoutADescription_isItsCode() {
        assertThat(ErrorClassifier.text(Status.UNAVAILABLE)).isEqualTo("UNAVAILABLE");
        assertThat(ErrorClassifier.text(Status.UNAVAILABLE.withDescription("io exception")))
                .isEqualTo("io exception");
    }
}
