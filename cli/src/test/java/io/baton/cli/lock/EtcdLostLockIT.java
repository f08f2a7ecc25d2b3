package io.baton.cli.lock;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same on etcd. */
@Tag("etcd")
class EtcdLostLockIT extends LostLockIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }

    @Test
    @Tag("long")
    @Override
    void lock_commandIgnoresSigterm_isKilledAtTheDeadlineWithWhatItStarted() throws InterruptedException {
        super.lock_commandIgnoresSigterm_isKilledAtTheDeadlineWithWhatItStarted();
    }

    @Test
    @Tag("long")
    @Override
    void lock_batonFrozenPastItsSession_endsTheCommandAndSaysLost() throws InterruptedException {
        super.lock_batonFrozenPastItsSession_endsTheCommandAndSaysLost();
    }

    @Test
    @Tag("long")
    @Override
    void lock_serverRestartsWithinTheSession_commandRunsOn() throws InterruptedException {
        super.lock_serverRestartsWithinTheSession_commandRunsOn();
    }
}
