package io.baton.etcd;

import io.baton.testkit.etcd.LocalEtcd;

/** On the oldest etcd there is. */
class SharedWatchStreamOldestIT extends SharedWatchStreamContract {

    @Override
    LocalEtcd.Builder builder() {
        return LocalEtcd.builder().oldest();
    }
}
