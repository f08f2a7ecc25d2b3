package io.baton.etcd.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.RangeRequest;
import org.junit.jupiter.api.Test;

class PrefixTest {

    private static final Prefix LOCKS = new Prefix("/app/locks/");

    @Test
    void from_prefix_endsBehindItsLastKey() {
        RangeRequest request = LOCKS.from(LOCKS.text(), 10);
        assertThat(request.getKey().toStringUtf8()).isEqualTo("/app/locks/");
        assertThat(request.getRangeEnd().toStringUtf8()).isEqualTo("/app/locks0");
        assertThat(new Prefix("/").oldest().getRangeEnd().toStringUtf8()).isEqualTo("0");
    }

    @Test
    void behind_name_isBehindAllThatLiesBelowIt() {
        assertThat(LOCKS.behind("a")).isGreaterThan("/app/locks/a/~").isGreaterThan("/app/locks/a-b/x");
        assertThat(LOCKS.behind("a")).isLessThan("/app/locks/aa/x").isLessThan("/app/locks/b/x");
    }

    @Test
    void count_beginning_isOfTheKeysThatGoOnSo() {
        RangeRequest request = LOCKS.count("%24");
        assertThat(request.getKey().toStringUtf8()).isEqualTo("/app/locks/%24");
        assertThat(request.getRangeEnd().toStringUtf8()).isEqualTo("/app/locks/%25");
        assertThat(request.getCountOnly()).isTrue();
    }
}
