package io.baton.testkit.containers;

import io.baton.testkit.etcd.EtcdBinaries;
import io.baton.testkit.server.Directories;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.testcontainers.images.builder.ImageFromDockerfile;
import org.testcontainers.utility.DockerImageName;

/**
 * Images of both servers, made of what this machine has, so that no registry is needed: etcd's program, and a small Java
 * with ZooKeeper's server from this class path. They know those environment variables of the official images that are used
 * here. With {@code -Dbaton.images=official} those are taken instead.
 */
final class MachineImages {

    private static final boolean OFFICIAL = "official".equals(System.getProperty("baton.images"));

    private static final Pattern SERVER_JARS =
            Pattern.compile("(?:zookeeper|metrics-core|snappy-java|netty|slf4j|commons-io|audience).*\\.jar");

    private static final String MODULES = "java.base,java.logging,java.management,java.naming,java.security.jgss,"
            + "java.security.sasl,java.xml,jdk.management,jdk.unsupported";

    private static final String START_ZOOKEEPER = """
            #!/bin/sh
            {
                echo dataDir=/data
                echo clientPort=2181
                echo "tickTime=$ZOO_TICK_TIME"
                echo "admin.enableServer=$ZOO_ADMINSERVER_ENABLED"
                for setting in $ZOO_CFG_EXTRA; do echo "$setting"; done
            } >/conf/zoo.cfg
            exec /opt/java/bin/java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '/opt/zookeeper/*' \\
                org.apache.zookeeper.server.ZooKeeperServerMain /conf/zoo.cfg
            """;

    private MachineImages() {}

    static DockerImageName etcd() {
        return OFFICIAL ? EtcdContainer.IMAGE : Etcd.IMAGE;
    }

    static DockerImageName zookeeper() {
        return OFFICIAL ? ZooKeeperContainer.IMAGE : ZooKeeper.IMAGE;
    }

    /** Built when it is asked for first. */
    private static final class Etcd {

        static final DockerImageName IMAGE = build("etcd", "/usr/local/bin/etcd", root -> {
            root.addProgram(EtcdBinaries.newest().etcd(), "/usr/local/bin/etcd");
        });
    }

    /** Built when it is asked for first. */
    private static final class ZooKeeper {

        static final DockerImageName IMAGE = build("zookeeper", "/start", root -> {
            root.addProgram(Path.of("/bin/sh"), "/bin/sh");
            root.writeScript("/start", START_ZOOKEEPER);
            for (String folder : List.of("/conf", "/data", "/tmp")) {
                root.write(folder + "/README", "The server writes here.");
            }
            Path java = root.inside("/opt/java");
            jlink(java);
            for (Path binary : files(java)) {
                if (binary.endsWith("bin/java") || binary.toString().endsWith(".so")) {
                    root.addLibrariesOf(binary);
                }
            }
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                String name = Path.of(entry).getFileName().toString();
                if (SERVER_JARS.matcher(name).matches()) {
                    root.add(Path.of(entry), "/opt/zookeeper/" + name);
                }
            }
        });
    }

    private interface Filling {

        void fill(RootFiles root) throws IOException;
    }

    private static DockerImageName build(String name, String command, Filling filling) {
        Path directory = Directories.temporary("image");
        try {
            RootFiles root = new RootFiles(directory);
            root.write("/etc/passwd", "root:x:0:0:root:/:/bin/sh\n");
            filling.fill(root);
            return DockerImageName.parse(new ImageFromDockerfile("baton-test/" + name)
                    .withFileFromPath("root", directory)
                    .withFileFromString("Dockerfile", "FROM scratch\nCOPY root /\nCMD [\"" + command + "\"]\n")
                    .get());
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot make an image of " + name, broken);
        } finally {
            Directories.delete(directory);
        }
    }

    private static void jlink(Path to) {
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        ToolProvider jlink = ToolProvider.findFirst("jlink").orElseThrow();
        int status = jlink.run(
                out,
                out,
                "--add-modules",
                MODULES,
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--output",
                to.toString());
        if (status != 0) {
            throw new IllegalStateException("jlink failed: " + said);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
