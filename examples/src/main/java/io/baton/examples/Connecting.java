package io.baton.examples;

import io.baton.Secret;
import io.baton.etcd.EtcdStore;
import io.baton.spi.Store;
import io.baton.zookeeper.ZooKeeperStore;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;

/** Stores that are set up in the program instead of by a URI, a file and the environment. */
final class Connecting {

    private Connecting() {}

    static Store zookeeper(String uri, Path password, Path trustStore, Path trustStorePassword) {
        // tag::zookeeper[]
        Store store = ZooKeeperStore.builder(uri) // "zks://zk1:2281,zk2:2281/shop?tick=2s"
                .digest("shop", Secret.file(password)) // or Secret.environment("SHOP_PASSWORD")
                .trustStore(trustStore, Secret.file(trustStorePassword))
                .build();
        // end::zookeeper[]
        return store;
    }

    static Store etcd(String uri, Path password, Path authorities) {
        // tag::etcd[]
        Store store = EtcdStore.builder(uri) // "etcds://etcd1:2379,etcd2:2379/shop"
                .user("shop", Secret.file(password))
                .trustStore(authorities) // a PEM file needs no password
                .build();
        // end::etcd[]
        return store;
    }

    static Store curator(CuratorFramework curator) {
        // tag::curator[]
        Store store = ZooKeeperStore.using(curator)
                .chroot("/shop")
                .tick(Duration.ofSeconds(2)) // the servers' tickTime
                .build();
        // end::curator[]
        return store;
    }
}
