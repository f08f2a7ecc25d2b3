package io.baton.testkit.containers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What an image holds, in a directory: programs of this machine with the libraries that they need.
 *
 * @param directory where they are put
 */
record RootFiles(Path directory) {

    /** As {@code libc.so.6 => /lib/libc.so.6 (0x...)} and {@code /lib64/ld-linux-x86-64.so.2 (0x...)}. */
    private static final Pattern LIBRARY = Pattern.compile("(/\\S+) \\(0x");

    /** A file, or what a link leads to, with its permissions. */
    void add(Path file, String at) throws IOException {
        Path to = inside(at);
        if (Files.notExists(to)) {
            Files.createDirectories(to.getParent());
            Files.copy(file.toRealPath(), to, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    void addProgram(Path program, String at) throws IOException {
        add(program, at);
        addLibrariesOf(program);
    }

    /** Those of this machine that a program or a library is linked with; a static one has none. */
    void addLibrariesOf(Path binary) throws IOException {
        Process ldd = new ProcessBuilder("ldd", binary.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        List<Path> libraries = LIBRARY.matcher(said)
                .results()
                .map(found -> Path.of(found.group(1)))
                .filter(library -> !library.startsWith(directory))
                .toList();
        for (Path library : libraries) {
            add(library, library.toString());
        }
    }

    void write(String at, String text) throws IOException {
        Path to = inside(at);
        Files.createDirectories(to.getParent());
        Files.writeString(to, text);
    }

    void writeScript(String at, String text) throws IOException {
        write(at, text);
        if (!inside(at).toFile().setExecutable(true)) {
            throw new IOException("cannot make " + at + " executable");
        }
    }

    Path inside(String at) {
        return directory.resolve(at.substring(1));
    }
}
