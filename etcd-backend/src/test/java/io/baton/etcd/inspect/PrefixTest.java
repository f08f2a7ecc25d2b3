package io.baton.etcd.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.RangeRequest;
import org.junit.jupiter.api.Test;

class PrefixTest {

    private static final Prefix LOCKS = new Prefix("/app/locks/");

    @Test
    void from_prefix_endsBehindItsLastKey() {
        RangeRequest request = LOCKS.from(LOCKS.bytes(), 10);
        assertThat(request.getKey().toStringUtf8()).isEqualTo("/app/locks/");
        assertThat(request.getRangeEnd().toStringUtf8()).isEqualTo("/app/locks0");
        assertThat(new Prefix("/").oldest().getRangeEnd().toStringUtf8()).isEqualTo("0");
    }

    @Test
    void behind_name_isBehindAllThatLiesBelowIt() {
        String behind = LOCKS.behind(bytes("a")).toStringUtf8();
        assertThat(behind).isGreaterThan("/app/locks/a/~").isGreaterThan("/app/locks/a-b/x");
        assertThat(behind).isLessThan("/app/locks/aa/x").isLessThan("/app/locks/b/x");
    }

    @Test
    void nameOf_key_isTheSegmentBehindThePrefix() {
        assertThat(LOCKS.nameOf(bytes("/app/locks/a/b/c"))).isEqualTo(bytes("a"));
        assertThat(LOCKS.nameOf(bytes("/app/locks/a"))).isEmpty();
        assertThat(LOCKS.nameOf(bytes("/app/locks//a"))).isEmpty();
        ByteString noText = ByteString.copyFrom(new byte[] {(byte) 0xff, 'x'});
        assertThat(LOCKS.nameOf(LOCKS.bytes().concat(noText).concat(bytes("/1"))))
                .isEqualTo(noText);
    }

    private static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }

    @Test
    void count_beginning_isOfTheKeysThatGoOnSo() {
        RangeRequest request = LOCKS.count("%24");
        assertThat(request.getKey().toStringUtf8()).isEqualTo("/app/locks/%24");
        assertThat(request.getRangeEnd().toStringUtf8()).isEqualTo("/app/locks/%25");
        assertThat(request.getCountOnly()).isTrue();
    }
}
