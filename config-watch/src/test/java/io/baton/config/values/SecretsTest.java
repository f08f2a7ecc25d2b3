package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Secret;
import io.baton.config.ConfigException;
import io.baton.config.ConfigValue;
import io.baton.config.DefaultValue;
import io.baton.config.Explanation;
import io.baton.config.KeyChange;
import io.baton.config.Sensitive;
import io.baton.config.UnknownFields;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The planted secret must be in no text, whatever goes wrong. */
class SecretsTest {

    static final String PLANTED = "hunter2secret";

    enum Kind {
        ONE,
        TWO
    }

    record User(String name, @Sensitive String password) {}

    record Settings(
            Optional<Secret> token,
            @Sensitive Optional<Integer> pin,
            @Sensitive Optional<Kind> kind,
            @Sensitive @DefaultValue("[]") List<Integer> codes,
            @DefaultValue("[]") List<User> users,
            Optional<Map<String, Secret>> keys,
            Optional<List<Secret>> tokens,
            Optional<Integer> limit,
            Optional<User> admin) {}

    static Stream<Arguments> wrong() {
        return Stream.of(
                // malformed, next to the secret, in it, and after it
                Arguments.of("payments.json", "{\"token\":\"%s"),
                Arguments.of("payments.json", "{\"token\":\"%s\" \"limit\":1}"),
                Arguments.of("payments.json", "{\"token\":%s}"),
                Arguments.of("payments.json", "{\"token\":\"\\%s\"}"),
                Arguments.of("payments.json", "%s"),
                Arguments.of("payments.json", "{\"%s\":1,\"%s\":2}"),
                Arguments.of("payments.json", "{\"token\":\"%s\"} x"),
                Arguments.of("payments.json", "{\"token\":\"a\tb%s\"}"),
                Arguments.of("payments.yaml", "token: '%s"),
                Arguments.of("payments.yaml", "token: %s\n  limit: 1"),
                Arguments.of("payments.yaml", "token: *%s"),
                Arguments.of("payments.yaml", "token: !%s x"),
                Arguments.of("payments.yaml", "token: @%s"),
                Arguments.of("payments.yaml", "- %s\ntoken: 1"),
                Arguments.of("payments.yaml", "%s"),
                Arguments.of("payments.yaml", "token: |\n%s"),
                Arguments.of("payments.properties", "token=\\u00z%s"),
                Arguments.of("payments.properties", "pin=%s"),
                // wrong types
                Arguments.of("payments.json", "{\"pin\":\"%s\"}"),
                Arguments.of("payments.json", "{\"kind\":\"%s\"}"),
                Arguments.of("payments.json", "{\"codes\":\"%s\"}"),
                Arguments.of("payments.json", "{\"codes\":[\"%s\"]}"),
                Arguments.of("payments.json", "{\"token\":[\"%s\"]}"),
                Arguments.of("payments.json", "{\"token\":{\"%s\":1}}"),
                Arguments.of("payments.json", "{\"users\":[\"%s\"]}"),
                Arguments.of("payments.json", "{\"users\":\"%s\"}"),
                Arguments.of("payments.json", "{\"users\":[{\"password\":\"%s\"}]}"),
                Arguments.of("payments.json", "{\"users\":[{\"name\":[1],\"password\":\"%s\"}]}"),
                Arguments.of("payments.json", "{\"keys\":\"%s\"}"),
                Arguments.of("payments.json", "{\"keys\":{\"a\":[\"%s\"]}}"),
                Arguments.of("payments.json", "{\"limit\":{\"password\":\"%s\"}}"),
                Arguments.of("payments.json", "{\"token\":\"%s\",\"limit\":\"x\"}"),
                Arguments.of("payments.json", "{\"admin\":\"%s\"}"),
                Arguments.of("payments.json", "{\"admin\":{\"password\":\"%s\"}}"),
                // single keys and texts that stand for more
                Arguments.of("payments.pin", "%s"),
                Arguments.of("payments.codes", "1,%s"),
                Arguments.of("payments.tokens", "a,,%s"),
                Arguments.of("payments.tokens", "[%s"),
                Arguments.of("payments.users", "[{\"name\":\"a\",\"password\":%s]"),
                Arguments.of("payments.users", "%s"),
                Arguments.of("payments.admin", "%s"),
                Arguments.of("payments.admin", "{\"password\":\"%s"),
                Arguments.of("payments.limit", "{\"password\":\"%s\"}"),
                Arguments.of("payments", "{\"token\":\"%s\""),
                Arguments.of("payments", "%s"),
                // unknown, beside it and below it
                Arguments.of("payments.json", "{\"tokn\":\"%s\"}"),
                Arguments.of("payments.properties", "tokens=%s\ntokn=%s"),
                Arguments.of("payments.users.x", "%s"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void bind_wrongNextToASecret_showsItNowhere(String key, String template) {
        String text = template.replace("%s", PLANTED);
        List<String> seen = new ArrayList<>();
        SecretPaths secrets = SecretPaths.of();
        TypeBinder<Settings> binder = new TypeBinder<>(
                "payments",
                Settings.class,
                UnknownFields.REJECT,
                secrets,
                Converters.none(),
                Optional.empty(),
                seen::add);
        TypeBinder<Settings> lenient = new TypeBinder<>(
                "payments",
                Settings.class,
                UnknownFields.WARN,
                secrets,
                Converters.none(),
                Optional.empty(),
                seen::add);
        Layers layers = Given.layers(key, text);

        boolean refused = attempt(binder, layers, seen);
        attempt(lenient, layers, seen);
        seen.add(layers + " " + binder + " " + secrets + " " + layers.at("payments") + " " + layers.at(key));

        assertThat(refused).isTrue();
        assertThat(String.join("\n", seen)).doesNotContain(PLANTED).contains("payments");
    }

    private static boolean attempt(TypeBinder<?> binder, Layers layers, List<String> seen) {
        try {
            binder.bind(layers);
            return false;
        } catch (Unbindable refused) {
            seen.add(whole(refused) + refused.key());
            return true;
        }
    }

    /** With causes and suppressed ones. */
    private static String whole(Throwable thrown) {
        StringWriter all = new StringWriter();
        thrown.printStackTrace(new PrintWriter(all));
        return all.toString();
    }

    @Test
    void bind_markedKey_showsNoTextAndNoName() {
        SortedMap<String, ConfigValue> store = Given.marked(
                Given.store("payments.json", "{\"limit\":\"" + PLANTED + "\",\"hunter2secret\":1}"), "payments.json");

        String reason = Given.refused(Settings.class, Bundled.builder().build().with(store));

        assertThat(reason)
                .contains("payments.limit must be a whole number")
                .contains("payments has a name that is unknown")
                .doesNotContain(PLANTED);
    }

    @Test
    void bind_pieceOfAKeyTakenForAName_isNotShown() {
        String pem = "-----BEGIN-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n";

        assertThat(Given.refused(Settings.class, Given.layers("payments.properties", pem)))
                .contains("(a name of 64 characters) is unknown")
                .doesNotContain("MIIEvQ");
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Constraint(validatedBy = Telltale.class)
    @interface Checked {
        String message() default "was ${validatedValue}";

        Class<?>[] groups() default {};

        Class<? extends Payload>[] payload() default {};
    }

    /** Says what it was given, in each way that it can. */
    public static final class Telltale implements ConstraintValidator<Checked, Object> {
        @Override
        public boolean isValid(Object value, ConstraintValidatorContext context) {
            if (value instanceof Thrown thrown) {
                throw new IllegalStateException(thrown.password());
            }
            context.buildConstraintViolationWithTemplate("what: " + value).addConstraintViolation();
            if (value instanceof Record) {
                context.buildConstraintViolationWithTemplate("that: " + value)
                        .addPropertyNode("inner")
                        .addConstraintViolation();
            }
            return false;
        }
    }

    @Checked
    record Thrown(@Sensitive String password) {}

    @Checked
    record Strict(
            @Sensitive @Checked String password, @Valid Inner inner) {}

    record Numeric(@Sensitive @Pattern(regexp = "[0-9]+") String password) {}

    record Inner(
            @Sensitive @Size(max = 3, message = "was ${validatedValue}")
            String pin,

            @Size(max = 3) String name) {}

    @Test
    void bind_invalidSecret_showsOnlyTheConstraint() {
        Layers layers = Given.layers(
                "payments",
                "{\"password\":\"" + PLANTED + "\",\"inner\":{\"pin\":\"" + PLANTED + "\",\"name\":\"long\"}}");

        assertThat(Given.refused(Strict.class, layers))
                .contains("payments does not meet @Checked (store")
                .contains("payments.password does not meet @Checked (store")
                .contains("payments.inner.pin does not meet @Size (store")
                .contains("payments.inner.name size must be between 0 and 3 (was long)")
                .doesNotContain(PLANTED);
        Layers password = Given.layers("payments.password", PLANTED);
        assertThat(Given.refused(Thrown.class, password))
                .isEqualTo("payments cannot be validated: ValidationException");
        assertThat(Given.refused(Numeric.class, password))
                .isEqualTo("payments.password must match \"[0-9]+\" (store: payments.password @1)");
    }

    record Refusing(@Sensitive String password) {
        Refusing {
            throw new IllegalArgumentException("no good: " + password);
        }
    }

    @Test
    void bind_constructorTellsTheSecret_isNotPassedOn() {
        assertThat(Given.refused(Refusing.class, Given.layers("payments", "{\"password\":\"" + PLANTED + "\"}")))
                .isEqualTo("payments is refused by Refusing: IllegalArgumentException");
    }

    private static List<String> explained(Layers layers, SecretPaths secrets, String... paths) {
        List<String> all = new ArrayList<>();
        for (String path : paths) {
            Explanation explanation = layers.explain(path, secrets);
            all.add(explanation.toString());
        }
        return all;
    }

    @Test
    void explain_secretOfATypeOrPatternOrMark_isNotShown() {
        SecretPaths secrets = SecretPaths.of("*.pass-phrase", "vault.*");
        new TypeBinder<>("payments", Settings.class, UnknownFields.WARN, secrets, Converters.none(), Optional.empty());
        String secret = "\"" + PLANTED + "\"";
        Layers layers = Bundled.builder()
                .defaults(Map.of("payments.token", PLANTED))
                .environment("SHOP_", Map.of("SHOP_PAYMENTS_TOKEN", PLANTED))
                .build()
                .with(Given.marked(
                        Given.store(
                                "payments.json",
                                "{\"token\":" + secret + ",\"users\":[{\"name\":\"n\",\"password\":" + secret
                                        + "}],\"tokens\":[" + secret + "],\"keys\":{\"a\":" + secret + "}}",
                                "orders.passPhrase",
                                PLANTED,
                                "vault.x.json",
                                "{\"a\":" + secret + "}",
                                "marked.yaml",
                                "a: {b: " + PLANTED + "}"),
                        "marked.yaml"));

        List<String> all = explained(
                layers,
                secrets,
                "payments",
                "payments.token",
                "payments.users",
                "payments.tokens",
                "payments.keys",
                "payments.keys.a",
                "orders",
                "orders.pass_phrase",
                "vault",
                "vault.x",
                "vault.x.a",
                "marked",
                "marked.a",
                "marked.a.b",
                "");

        assertThat(String.join("\n", all)).doesNotContain(PLANTED).contains("(secret)");
        assertThat(all.get(2)).contains("\"name\":\"n\",\"password\":\"(secret)\"");
        assertThat(layers.text("payments.token")).contains(PLANTED);
    }

    @Test
    void explain_markedInTheStore_isNotShownOfWeakerLayersEither() {
        Layers layers = Bundled.builder()
                .defaults(Map.of("db.login", PLANTED))
                .build()
                .with(Given.marked(Given.store("db.login", "x"), "db.login"));

        assertThat(layers.explain("db.login", Given.none()).layers())
                .extracting(Explanation.Layer::value)
                .containsExactly("(secret)", "(secret)");
    }

    @Test
    void explain_textInPlaceOfAnObjectWithSecrets_isNotShown() {
        SecretPaths secrets = SecretPaths.of("payments.admin.password");
        Layers layers = Given.layers("payments.admin", "password: " + PLANTED);

        assertThat(layers.explain("payments.admin", secrets).toString()).doesNotContain(PLANTED);
        assertThat(layers.changes("payments", Given.layers(), secrets).toString())
                .contains("payments.admin")
                .doesNotContain(PLANTED);
    }

    @Test
    void changes_ofSecrets_areNoticedAndNotShown() {
        SecretPaths secrets = SecretPaths.of();
        new TypeBinder<>("payments", Settings.class, UnknownFields.WARN, secrets, Converters.none(), Optional.empty());
        Bundled bundled = Bundled.builder().build();
        String json = "{\"token\":\"%s\",\"pin\":1,\"limit\":1,\"users\":[{\"name\":\"n\",\"password\":\"%s\"}]}";
        Layers before = bundled.with(Given.store("payments.json", json.formatted("old" + PLANTED, "p")));
        Layers now = bundled.with(
                Given.store(
                        "payments.json",
                        json.formatted("new" + PLANTED, "q" + PLANTED).replace("\"limit\":1", "\"limit\":2")),
                before);

        List<KeyChange> changes = now.changes("payments", before, secrets);

        assertThat(changes)
                .extracting(KeyChange::key)
                .containsExactly("payments.token", "payments.limit", "payments.users");
        assertThat(changes).extracting(KeyChange::secret).containsExactly(true, false, true);
        assertThat(changes.get(0).now()).contains("new" + PLANTED);
        assertThat(changes.toString()).doesNotContain(PLANTED);
    }

    @Test
    void bind_secret_isAnotherAfterAChange() {
        record Login(Secret password) {}
        Bundled bundled = Bundled.builder().build();
        TypeBinder<Login> binder = new TypeBinder<>(
                "payments", Login.class, UnknownFields.REJECT, Given.none(), Converters.none(), Optional.empty());
        Layers before = bundled.with(Given.store("payments.password", "a"));
        Login login = binder.bind(before);
        Login later = binder.bind(bundled.with(Given.store("payments.password", "b"), before));

        assertThat(login.password().reveal()).isEqualTo("a");
        assertThat(later.password().reveal()).isEqualTo("b");
        assertThat(login.toString()).isEqualTo("Login[password=Secret[payments.password @1]]");
    }

    @Test
    void secretKey_documentWithASecret_isSecretAsAWhole() {
        SecretPaths secrets = SecretPaths.of("*.password");
        Layers layers = Bundled.builder()
                .build()
                .with(Given.marked(
                        Given.store(
                                "a.json", "{\"b\":{\"password\":1}}",
                                "b.json", "{\"b\":1}",
                                "c.json", "{\"b\":",
                                "d.password", "x",
                                "e", "x",
                                "f", "x",
                                "g", "{\"password\":1}"),
                        "f"));

        assertThat(Stream.of("a.json", "b.json", "c.json", "d.password", "e", "f", "g", "none")
                        .filter(key -> layers.secretKey(key, secrets)))
                .containsExactly("a.json", "c.json", "d.password", "f", "g");
        assertThat(layers.secretKey("c.json", Given.none())).isFalse();
    }

    @Test
    void contains_typeThatContainsItself_knowsAnyDepth() {
        record Node(@Sensitive String password, List<Node> children) {}
        SecretPaths secrets = SecretPaths.of();
        new TypeBinder<>("tree", Node.class, UnknownFields.WARN, secrets, Converters.none(), Optional.empty());

        assertThat(Stream.of("tree.password", "tree.children[3].password", "tree.children[0].children[1].password")
                        .allMatch(secrets::contains))
                .isTrue();
        assertThat(secrets.contains("tree.children")).isFalse();
        assertThat(secrets.contains("other.password")).isFalse();
    }

    @Test
    void file_malformed_isNotQuoted(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("a.yaml"), "password: '" + PLANTED);

        try {
            Bundled.builder().file(file);
            throw new AssertionError("read");
        } catch (ConfigException refused) {
            assertThat(whole(refused)).doesNotContain(PLANTED);
        }
    }
}
