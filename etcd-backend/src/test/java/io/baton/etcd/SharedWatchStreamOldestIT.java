package io.baton.etcd;

import io.baton.testkit.etcd.LocalEtcd;
import org.junit.jupiter.api.Tag;

/** On the oldest etcd there is. */
@Tag("long")
class SharedWatchStreamOldestIT extends SharedWatchStreamContract {

    @Override
    LocalEtcd.Builder builder() {
        return LocalEtcd.builder().oldest();
    }
}
