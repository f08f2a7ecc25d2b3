package io.baton.testkit.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.server.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SecureZooKeeperIT {

    @Test
    void startAndClose_leaveNothingBehind() throws Exception {
        Set<Path> directories = directories();
        int port;
        try (SecureZooKeeper server = SecureZooKeeper.start()) {
            port = server.address().getPort();
            assertThat(Loopback.isOpen(port)).isTrue();
        }

        assertThat(Loopback.isOpen(port)).isFalse();
        assertThat(directories()).isEqualTo(directories);
    }

    @Test
    void start_hostThatNoCertificateCanHave_leavesNothingBehind() throws Exception {
        Set<Path> directories = directories();

        assertThatThrownBy(() -> SecureZooKeeper.start("ip:x", false)).isInstanceOf(IllegalStateException.class);

        assertThat(directories()).isEqualTo(directories);
    }

    private static Set<Path> directories() throws IOException {
        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(SecureZooKeeperIT::isOurs).collect(Collectors.toSet());
        }
    }

    private static boolean isOurs(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(Directories.prefix("zookeeper")) || name.startsWith(Directories.prefix("certificates"));
    }
}
