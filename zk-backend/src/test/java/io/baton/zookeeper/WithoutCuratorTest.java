package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Curator is optional. */
class WithoutCuratorTest {

    @Test
    void stores_withoutCuratorOnTheClassPath_areMadeAllTheSame() throws Exception {
        try (var without = new URLClassLoader(classPathWithoutCurator(), ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> without.loadClass("org.apache.curator.framework.CuratorFramework"))
                    .isInstanceOf(ClassNotFoundException.class);

            Object stores =
                    without.loadClass(Setup.class.getName()).getConstructor().newInstance();

            assertThat(stores).hasToString("zk://localhost:2181/app zk://localhost:2181/app");
        }
    }

    private static URL[] classPathWithoutCurator() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("curator"))
                .map(WithoutCuratorTest::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Runs where there is no Curator. */
    public static final class Setup {
        @Override
        public String toString() {
            String uri = "zk://localhost:2181/app";
            return ZooKeeperStore.builder(uri).build() + " " + new ZkStoreProvider().create(URI.create(uri));
        }
    }
}
