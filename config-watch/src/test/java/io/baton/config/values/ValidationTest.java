package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.UnknownFields;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValidationTest {

    record Host(@NotBlank String name, @Max(65_535) int port) {}

    public record Settings(
            @Min(1) @Max(10) int retryLimit,
            @Valid List<Host> hosts,
            @Valid Map<String, Host> named) {}

    @Test
    void bind_invalid_namesPathConstraintValueAndOrigin() {
        Layers layers = Given.layers(
                "payments.json",
                "{\"retry-limit\":99,\"hosts\":[{\"name\":\"a\",\"port\":1},{\"name\":\" \",\"port\":70000}],"
                        + "\"named\":{\"x\":{\"name\":\"\",\"port\":1}}}");

        assertThat(Given.refused(Settings.class, layers).split("; "))
                .containsExactlyInAnyOrder(
                        "payments.retryLimit must be less than or equal to 10 (was 99)"
                                + " (store: payments.json @1, line 1, column 16)",
                        "payments.hosts[1].name must not be blank (was  ) (store: payments.json @1, line 1, column 58)",
                        "payments.hosts[1].port must be less than or equal to 65535 (was 70000)"
                                + " (store: payments.json @1, line 1, column 69)",
                        "payments.named.x.name must not be blank (was ) (store: payments.json @1, line 1, column 98)");
    }

    @Test
    void bind_valid_isBound() {
        assertThat(Given.bind(Settings.class, "json", "{\"retryLimit\":10,\"hosts\":[],\"named\":{}}"))
                .isEqualTo(new Settings(10, List.of(), Map.of()));
    }

    /** Sees this module's and the tests' classes anew, and everything but what is hidden. */
    private static final class Hiding extends URLClassLoader {

        private final Predicate<String> hidden;

        Hiding(Predicate<String> hidden) {
            super(classPath(), ClassLoader.getPlatformClassLoader());
            this.hidden = hidden;
        }

        private static URL[] classPath() {
            return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                    .map(entry -> {
                        try {
                            return java.nio.file.Path.of(entry).toUri().toURL();
                        } catch (IOException impossible) {
                            throw new IllegalStateException(impossible);
                        }
                    })
                    .toArray(URL[]::new);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (hidden.test(name)) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }

        @Override
        public java.util.Enumeration<URL> findResources(String name) throws IOException {
            return hidden.test(name.replace('/', '.'))
                    ? java.util.Collections.emptyEnumeration()
                    : super.findResources(name);
        }

        @Override
        public InputStream getResourceAsStream(String name) {
            return hidden.test(name.replace('/', '.')) ? null : super.getResourceAsStream(name);
        }
    }

    /** Run within the other class loader. */
    public static final class Plain {

        public record Values(int limit) {}

        private Plain() {}

        public static String bind() {
            SortedMap<String, io.baton.config.ConfigValue> store = Given.store("payments.limit", "5");
            return new TypeBinder<>(
                            "payments",
                            Values.class,
                            UnknownFields.REJECT,
                            SecretPaths.of(),
                            Converters.none(),
                            Optional.empty())
                    .bind(Bundled.builder().build().with(store))
                    .toString();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jakarta.validation.", "org.hibernate.", "META-INF.services.jakarta.validation"})
    void bind_withoutApiOrProvider_works(String hidden) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (Hiding loader = new Hiding(name -> name.startsWith(hidden))) {
            thread.setContextClassLoader(loader);

            Object bound =
                    loader.loadClass(Plain.class.getName()).getMethod("bind").invoke(null);

            assertThat(bound).isEqualTo("Values[limit=5]");
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
