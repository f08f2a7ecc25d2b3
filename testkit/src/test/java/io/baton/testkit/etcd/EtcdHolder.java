package io.baton.testkit.etcd;

import io.baton.testkit.server.Directories;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that holds a frozen server and is killed: prints the server's process and its directory. */
final class EtcdHolder {

    private EtcdHolder() {}

    public static void main(String[] args) throws Exception {
        LocalEtcd etcd = LocalEtcd.start();
        etcd.freeze();
        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            Path home = files.filter(file -> file.getFileName().toString().startsWith(Directories.prefix("etcd")))
                    .findAny()
                    .orElseThrow();
            System.out.println(etcd.pid() + " " + home);
        }
        Thread.currentThread().join();
    }
}
