package io.baton.spi.support;

import io.baton.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A store of keys or certificates, and its password.
 *
 * @param path where it is
 * @param password what opens it, if it needs one
 */
public record KeyFile(Path path, Optional<Secret> password) {

    /** What a file with keys or certificates can be. */
    public enum Kind {
        /** Java's own of old. */
        JKS,
        /** The standard of today. */
        PKCS12,
        /** Text, as most other programs have it. */
        PEM
    }

    private static final byte[] JKS = {(byte) 0xFE, (byte) 0xED, (byte) 0xFE, (byte) 0xED};

    /** The password as it is now; empty without one. */
    public String secret() {
        return password.map(Secret::reveal).orElse("");
    }

    /**
     * What it is, by what is in it: secrets are often mounted under names without a meaning.
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
     * What is in it.
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
