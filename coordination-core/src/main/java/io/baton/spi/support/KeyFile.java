package io.baton.spi.support;

import io.baton.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A file of keys or certificates, and its password.
 *
 * @param path the file
 * @param password its password, if it needs one
 */
public record KeyFile(Path path, Optional<Secret> password) {

    /** The format of a file with keys or certificates. */
    public enum Kind {
        /** Java's older format. */
        JKS,
        /** The present standard. */
        PKCS12,
        /** Text, as most other programs use it. */
        PEM
    }

    private static final byte[] JKS = {(byte) 0xFE, (byte) 0xED, (byte) 0xFE, (byte) 0xED};

    /** Returns the present password; an empty string without one. */
    public String secret() {
        return password.map(Secret::reveal).orElse("");
    }

    /**
     * Returns the format, as found in the content: secrets are often mounted under meaningless names.
     *
     * @throws IllegalArgumentException if it cannot be read; the message says why
     */
    public Kind kind() {
        byte[] content = content();
        if (content.length >= JKS.length && Arrays.equals(content, 0, JKS.length, JKS, 0, JKS.length)) {
            return Kind.JKS;
        }
        return new String(content, StandardCharsets.ISO_8859_1).contains("-----BEGIN ") ? Kind.PEM : Kind.PKCS12;
    }

    /**
     * Returns the content.
     *
     * @throws IllegalArgumentException if it cannot be read; the message says why
     */
    public byte[] content() {
        try {
            return Files.readAllBytes(path);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot open " + path + ": " + Secret.reason(unreadable));
        }
    }
}
