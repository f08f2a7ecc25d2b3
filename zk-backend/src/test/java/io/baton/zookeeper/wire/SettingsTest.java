package io.baton.zookeeper.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Secret;
import io.baton.spi.support.KeyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

    private static final String SECRET = "swordfish";

    @TempDir
    Path directory;

    @Test
    void read_environment_givesCredentialsFromItAndFromAFile() throws Exception {
        Path secret = file(SECRET + "\n");

        Settings direct = environment(Map.of("BATON_ZK_DIGEST_USER", "app", "BATON_ZK_DIGEST_PASSWORD", SECRET));
        Settings byFile =
                environment(Map.of("BATON_ZK_DIGEST_USER", "app", "BATON_ZK_DIGEST_PASSWORD_FILE", secret.toString()));

        assertThat(direct.digest().orElseThrow().bytes()).asString().isEqualTo("app:" + SECRET);
        assertThat(byFile.digest().orElseThrow().bytes()).asString().isEqualTo("app:" + SECRET);
        assertThat(byFile.acl()).isEqualTo(direct.acl());
    }

    @Test
    void read_fileAndEnvironment_theFileWins() throws Exception {
        Path config = file("digest.user=fromFile\ndigest.password=" + SECRET);

        Settings settings =
                Settings.read(false, Optional.of(config), Map.of("BATON_ZK_DIGEST_USER", "fromEnvironment"));

        assertThat(settings.digest().orElseThrow().user()).isEqualTo("fromFile");
    }

    @Test
    void secret_fileChangedLater_isReadAnewExceptAsAnIdentity() throws Exception {
        Path secret = file(SECRET);
        var storePassword = new KeyFile(secret, Optional.of(Secret.file(secret)));
        Settings settings =
                environment(Map.of("BATON_ZK_DIGEST_USER", "app", "BATON_ZK_DIGEST_PASSWORD_FILE", secret.toString()));

        Files.writeString(secret, "changed");

        assertThat(settings.digest().orElseThrow().bytes()).asString().isEqualTo("app:" + SECRET);
        assertThat(storePassword.secret()).isEqualTo("changed");
    }

    @Test
    void toString_withSecrets_showsNone() throws Exception {
        Path trust = file("no key store");
        var digest = new Acl.Digest("app", Secret.of(SECRET));
        var store = new KeyFile(trust, Optional.of(Secret.of(SECRET)));
        var settings = new Settings(
                Optional.of(digest),
                Acl.of(Optional.empty(), Optional.of(digest)),
                Optional.of(new Tls(Optional.of(store), Optional.of(store))));

        assertThat(settings.toString()).contains("app").doesNotContain(SECRET);
        assertThat(digest.toString()).doesNotContain(SECRET);
        assertThat(Secret.from("set as digest.password", SECRET).toString()).doesNotContain(SECRET);
        assertThat(settings.acl().toString()).isEqualTo("digest:app:cdrwa");
    }

    @Test
    void read_keyStoreThatIsNone_saysWhichAndNotItsPassword() throws Exception {
        Path trust = file("no key store");
        Map<String, String> environment =
                Map.of("BATON_ZK_TRUSTSTORE", trust.toString(), "BATON_ZK_TRUSTSTORE_PASSWORD", SECRET);

        assertThatThrownBy(() -> Settings.read(true, Optional.empty(), environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot open the trust store " + trust)
                .hasMessageNotContaining(SECRET);
        assertThatThrownBy(() -> Settings.read(true, Optional.empty(), Map.of("BATON_ZK_KEYSTORE", "/not/there")))
                .hasMessageContaining("cannot open /not/there: there is no such file");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "digest.user=app",
                "digest.password=swordfish",
                "digest.user=a:b\ndigest.password=swordfish",
                "digest.user=app\ndigest.password=swordfish\ndigest.password.file=/x",
                "digest.user=app\ndigest.password.file=/not/there",
                "digest.passwort=swordfish",
                "truststore=/x",
                "acl=creator",
                "acl=world",
                "acl=world:anyone:r",
                "acl=auth::cdrwa"
            })
    void read_bad_isRefusedWithoutShowingSecrets(String content) throws Exception {
        Path config = file(content);

        assertThatThrownBy(() -> Settings.read(false, Optional.of(config), Map.of())
                        .digest()
                        .map(Acl.Digest::bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining(SECRET)
                .hasNoCause();
    }

    @Test
    void difference_ofLists_namesBothAndNoHashes() {
        Acl mine = creator("app", SECRET);

        assertThat(mine.difference(mine.entries())).isEmpty();
        assertThat(mine.difference(Acl.OPEN.entries())).contains("world:anyone:cdrwa, not digest:app:cdrwa");
        assertThat(mine.difference(creator("app", "other").entries()))
                .contains("digest:app:cdrwa with another password");
    }

    private Settings environment(Map<String, String> environment) {
        return Settings.read(false, Optional.empty(), environment);
    }

    private static Acl creator(String user, String password) {
        return Acl.of(Optional.empty(), Optional.of(new Acl.Digest(user, Secret.of(password))));
    }

    private Path file(String content) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "file", ""), content);
    }
}
