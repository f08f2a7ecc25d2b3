package io.baton.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.BatonProcess;
import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same on etcd, and what is different there. */
@Tag("etcd")
@Tag("long")
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

    /** {@code etcdctl lock report} has its keys below {@code report/}. */
    @Test
    void lock_atANameWithoutASlash_isThatOfEtcdctl() throws Exception {
        try (AutoCloseable foreign = store.stand("report", "");
                BatonProcess taken = fixture.lock("--at", "report", "--try", "report", "--", "true");
                BatonProcess beside = fixture.lock("--at", "/report", "--try", "report", "--", "true")) {
            assertThat(foreign).isNotNull();
            assertThat(taken.status()).as(taken.err()).isEqualTo(75);
            assertThat(beside.status()).as(beside.err()).isZero();
        }
        try (BatonProcess free = fixture.lock("--at", "report", "--try", "report", "--", "true")) {
            assertThat(free.status()).as(free.err()).isZero();
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
