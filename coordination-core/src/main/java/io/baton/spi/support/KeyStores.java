package io.baton.spi.support;

import io.baton.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Opens files with keys and certificates. */
public final class KeyStores {

    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.+?)-----END \\1-----", Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private KeyStores() {}

    /**
     * Opens a file as a key store. Its keys have the same password as the file.
     *
     * @throws IllegalArgumentException if that fails; the message says why and holds no secret
     */
    public static KeyStore open(KeyFile file) {
        return open(file, false);
    }

    /**
     * Opens the file of a client's own certificate, which has to have its private key. Otherwise as {@link #open}.
     *
     * @throws IllegalArgumentException if that fails, or there is no key; the message says why and holds no secret
     */
    public static KeyStore openOwn(KeyFile file) {
        return open(file, true);
    }

    private static KeyStore open(KeyFile file, boolean own) {
        KeyFile.Kind kind = file.kind();
        try {
            KeyStore store = kind == KeyFile.Kind.PEM ? pem(file) : binary(file, kind);
            if (own && !hasKey(store)) {
                throw new IllegalArgumentException("there is no private key in " + file.path()
                        + "; without it this client cannot present its certificate");
            }
            return store;
        } catch (GeneralSecurityException | IOException broken) {
            String why = broken.getMessage() == null ? broken.getClass().getSimpleName() : broken.getMessage();
            throw new IllegalArgumentException("cannot open " + file.path() + ": " + why
                    + "; is its password right, and is it a PKCS12, JKS or PEM file?");
        }
    }

    private static KeyStore binary(KeyFile file, KeyFile.Kind kind) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(kind.name());
        store.load(new ByteArrayInputStream(file.content()), file.secret().toCharArray());
        return store;
    }

    private static boolean hasKey(KeyStore store) throws GeneralSecurityException {
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                return true;
            }
        }
        return false;
    }

    private static KeyStore pem(KeyFile file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        var certificates = new ArrayList<Certificate>();
        PrivateKey key = null;
        Matcher part = PEM.matcher(new String(file.content(), StandardCharsets.ISO_8859_1));
        while (part.find()) {
            String what = part.group(1);
            String body = part.group(2);
            switch (what) {
                case "CERTIFICATE" ->
                    certificates.add(CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(content(what, body, file))));
                case "PRIVATE KEY" -> key = key(new PKCS8EncodedKeySpec(content(what, body, file)));
                case "ENCRYPTED PRIVATE KEY" -> key = decrypted(content(what, body, file), file);
                default -> {
                    if (what.endsWith("PRIVATE KEY")) {
                        throw new IllegalArgumentException("cannot read the " + what + " in " + file.path()
                                + ": convert it with 'openssl pkcs8 -topk8'");
                    }
                }
            }
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("there is no certificate in " + file.path());
        }
        if (key != null) {
            store.setKeyEntry("own", key, file.secret().toCharArray(), certificates.toArray(new Certificate[0]));
        } else {
            for (Certificate certificate : certificates) {
                store.setCertificateEntry(Integer.toString(store.size()), certificate);
            }
        }
        return store;
    }

    private static byte[] content(String what, String body, KeyFile file) {
        if (body.contains(":")) {
            throw new IllegalArgumentException("cannot read the " + what + " in " + file.path() + ": it has headers");
        }
        return Base64.getMimeDecoder().decode(body);
    }

    private static PrivateKey decrypted(byte[] content, KeyFile file) throws GeneralSecurityException, IOException {
        var encrypted = new EncryptedPrivateKeyInfo(content);
        var password =
                new PBEKeySpec(file.password().map(Secret::reveal).orElse("").toCharArray());
        AlgorithmParameters parameters = encrypted.getAlgParameters();
        // Before JDK 19, PBES2 is the name of a family, and its parameters say which cipher it is.
        String how = encrypted.getAlgName().equals("PBES2") ? parameters.toString() : encrypted.getAlgName();
        Cipher cipher = Cipher.getInstance(how);
        cipher.init(Cipher.DECRYPT_MODE, SecretKeyFactory.getInstance(how).generateSecret(password), parameters);
        return key(encrypted.getKeySpec(cipher));
    }

    private static PrivateKey key(PKCS8EncodedKeySpec encoded) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException another) {
                // The encoding names the algorithm, but the JDK does not read it: the next one is tried.
            }
        }
        throw new InvalidKeySpecException("a private key of no kind known here, which are " + ALGORITHMS);
    }
}
