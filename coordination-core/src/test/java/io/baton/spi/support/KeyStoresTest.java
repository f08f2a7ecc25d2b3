package io.baton.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as openssl makes them. */
class KeyStoresTest {

    private static final String PASSWORD = "secret";
    private static final String CERTIFICATE = """
            -----BEGIN CERTIFICATE-----
            MIIBdDCCARugAwIBAgIUGyDRcayUIKh34+lqMKVLIi/aFhgwCgYIKoZIzj0EAwIw
            DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjgyMTQyMTJaGA8yMTI2MTEwNDIxNDIx
            MlowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMK1
            Gfjz7lLY6wONIw6wzG+Obfci7x6pC7WQnxptM7c0mdq2F8m602ecfwT9TWzGAIkC
            mr6s9E0Z+WwYRzNk5EyjUzBRMB0GA1UdDgQWBBSkQuGE8XT3bTh5gRqV03KrRTh6
            5zAfBgNVHSMEGDAWgBSkQuGE8XT3bTh5gRqV03KrRTh65zAPBgNVHRMBAf8EBTAD
            AQH/MAoGCCqGSM49BAMCA0cAMEQCIHYkcMeZMxtVpUcF2IN3SctQxT5Ho/uNrscp
            2yKBrEvNAiAUNh++zC6N3QzcOijlFeeAIUYTxVy/xl4Mlh6Dh9038g==
            -----END CERTIFICATE-----
            """;

    /** Made by {@code openssl pkcs8 -topk8}. */
    private static final String KEY = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHjc/rtbhEGNtT6Lv
            0+e+yR4beDyQ8cVqjNUlzEeY07GhRANCAATCtRn48+5S2OsDjSMOsMxvjm33Iu8e
            qQu1kJ8abTO3NJnathfJutNnnH8E/U1sxgCJApq+rPRNGflsGEczZORM
            -----END PRIVATE KEY-----
            """;

    /** Made by {@code openssl pkcs8 -topk8}, with a password. */
    private static final String ENCRYPTED = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjRvYU6RAO5eQICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKuCTBITW0RSvlfFAuV2Vz0EgZDt
            82mIxcNUfN9o8Y73I4auzPFGNtUEWekgav3367TZ0mdssd/MBhq/pRuOGzAt5jk/
            UP0Jm6oQBK4iFuzD13yD3eP5LiNmWA/yosoOjRIyvznv9jnPTBSb66IRo6TxDKqA
            DcutB5lb0U9nA6uKxwfpHgksiIivDIGHu1OvctZW7nqrASLvj+634GQd0vj+nCU=
            -----END ENCRYPTED PRIVATE KEY-----
            """;

    /** Made by {@code openssl pkcs8 -topk8 -v1 PBE-SHA1-3DES}, with a password. */
    private static final String ENCRYPTED_AS_FORMERLY = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIGxMBwGCiqGSIb3DQEMAQMwDgQI0FlXnsjJyV0CAggABIGQYQqITsyeL/EWQ1GK
            NUTeuBk4I6wfEfMyHwGYiva+js/M4Tv79hsLTwWCN5P4FhqA3oGmUeAaFudL3SlU
            BVLXVAAvp3kRAL1k9t0DNfZEWFBP6KJ4TlDc4HVKkoXAZ8HZyKAMIlLP2ZzjAGed
            TtDQhGsAeOQODcBhNj/ijDj75Uc/YtNTgRjhV1MWkzCQTUt2
            -----END ENCRYPTED PRIVATE KEY-----
            """;

    /** Made by {@code openssl ec -aes128}. */
    private static final String ENCRYPTED_IN_THE_OLD_FORM = """
            -----BEGIN EC PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-128-CBC,1E486607F6E8B0C9BA91963E78E9B233

            3iSsF0AsjmfpbEYubZI0nBHZutpaNGE5IR9gtW58QAeYmLgxpgBGsxbZhMzo6+yj
            GowkdZRhME04rQMp7ZyTNv3sbDzyJExEhlvZ+pcBZlmVxmadQRPQy/h03oyZ7gUz
            97PIZf7++aaG7r881pNqr/lBRx3rJFA8GSaVg2Ty9Bc=
            -----END EC PRIVATE KEY-----
            """;

    @TempDir
    Path directory;

    @Test
    void openOwn_keyAndCertificate_hasBoth() throws Exception {
        assertThat(keys(KeyStores.openOwn(file(CERTIFICATE + KEY)))).isOne();
    }

    @Test
    void openOwn_keyWithAPassword_isDecrypted() throws Exception {
        assertThat(keys(KeyStores.openOwn(file(ENCRYPTED + CERTIFICATE)))).isOne();
        assertThat(keys(KeyStores.openOwn(file(CERTIFICATE + ENCRYPTED_AS_FORMERLY))))
                .isOne();
    }

    @Test
    void openOwn_keyEncryptedInTheOldForm_isRefusedWithWhatToDo() throws Exception {
        KeyFile own = file(CERTIFICATE + ENCRYPTED_IN_THE_OLD_FORM);

        assertThatThrownBy(() -> KeyStores.openOwn(own))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("EC PRIVATE KEY", own.path().toString(), "openssl pkcs8 -topk8");
    }

    @Test
    void openOwn_certificateOnly_isRefused() throws Exception {
        KeyFile own = file(CERTIFICATE);

        assertThatThrownBy(() -> KeyStores.openOwn(own))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("no private key", own.path().toString());
        assertThat(KeyStores.open(own).size()).isOne();
    }

    @Test
    void open_partWithHeaders_isRefused() throws Exception {
        KeyFile own = file(CERTIFICATE + KEY.replace("KEY-----\nMIG", "KEY-----\nProc-Type: 4,CLEAR\n\nMIG"));

        assertThatThrownBy(() -> KeyStores.open(own))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("PRIVATE KEY", own.path().toString(), "headers");
    }

    private KeyFile file(String content) throws IOException {
        Path path = Files.createTempFile(directory, "own", ".pem");
        Files.writeString(path, content);
        return new KeyFile(path, Optional.of(Secret.of(PASSWORD)));
    }

    private static long keys(KeyStore store) throws Exception {
        long keys = 0;
        for (String alias : Collections.list(store.aliases())) {
            keys += store.isKeyEntry(alias) && store.getCertificateChain(alias).length == 1 ? 1 : 0;
        }
        return keys;
    }
}
