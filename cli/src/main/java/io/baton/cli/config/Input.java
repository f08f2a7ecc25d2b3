package io.baton.cli.config;

import io.baton.cli.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads text from a file or from stdin. */
final class Input {

    private Input() {}

    /**
     * Reads all of a file.
     *
     * @param what the name of the argument in an error message
     * @throws Failure if it cannot be read, or is not UTF-8
     */
    static String file(String name, String what) {
        try {
            return decoded(what, Files.readAllBytes(Path.of(name)));
        } catch (InvalidPathException | NoSuchFileException absent) {
            throw Failure.usage("there is no such file: " + what);
        } catch (AccessDeniedException refused) {
            throw Failure.usage("may not be read: " + what);
        } catch (IOException broken) {
            throw Failure.usage("cannot be read: " + what);
        }
    }

    /**
     * Reads stdin to its end.
     *
     * @throws Failure if it cannot be read, or is not UTF-8
     */
    static String stream(InputStream stdin) {
        try {
            return decoded("stdin", stdin.readAllBytes());
        } catch (IOException broken) {
            throw Failure.usage("cannot read stdin: " + Failure.text(broken));
        }
    }

    private static String decoded(String name, byte[] octets) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(octets))
                    .toString();
        } catch (CharacterCodingException binary) {
            throw Failure.usage(name + " is no text in UTF-8");
        }
    }
}
