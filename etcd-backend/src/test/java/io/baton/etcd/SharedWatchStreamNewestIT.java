package io.baton.etcd;

import io.baton.testkit.etcd.LocalEtcd;

/** On the newest etcd there is. */
class SharedWatchStreamNewestIT extends SharedWatchStreamContract {

    @Override
    LocalEtcd.Builder builder() {
        return LocalEtcd.builder();
    }
}
