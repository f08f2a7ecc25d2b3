package io.baton.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.BatonProcess;
import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same on etcd, and what is different there. */
@Tag("etcd")
class EtcdLockCommandIT extends LockCommandIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }

    @Override
    String nowhere() {
        return "etcd://127.0.0.1:1/app";
    }

    @Test
    @Tag("long")
    @Override
    void lock_manyShellsTwiceEach_runOneAtATimeInTheOrderOfTheirEntries() throws Exception {
        super.lock_manyShellsTwiceEach_runOneAtATimeInTheOrderOfTheirEntries();
    }

    @Test
    void lock_ttlBelowWhatServersGrant_saysWhatTheyGrant() throws InterruptedException {
        try (BatonProcess baton = fixture.lock("--ttl", "1s", "short", "--", "echo", "ran")) {
            assertThat(baton.status()).isZero();
            assertThat(baton.out()).isEqualTo("ran\n");
            assertThat(baton.err())
                    .startsWith("baton: the store grants a ttl of 2s, not 1s")
                    .hasLineCount(1);
        }
    }

    @Test
    void lock_dialectOfZooKeeper_isRefused() throws InterruptedException {
        try (BatonProcess baton = fixture.lock("--at", "/legacy/x", "--dialect", "kazoo", "x", "--", "echo", "ran")) {
            assertThat(baton.status()).isEqualTo(64);
            assertThat(baton.err())
                    .contains("dialect kazoo on etcd, only of baton")
                    .hasLineCount(1);
        }
    }
}
