module consumer {
    requires io.baton.core;
    requires io.baton.election;
    requires io.baton.config;
    requires io.baton.micrometer;
    requires io.baton.zookeeper;
    requires io.baton.etcd;
}
