package io.baton.tck.mutation;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Compiles one source against the class path of this JVM, into memory. */
final class SourceCompiler {

    private static final List<String> OPTIONS = List.of(
            "-proc:none", "-implicit:none", "-nowarn", "-parameters", "-cp", System.getProperty("java.class.path"));

    /** One for each thread, as file managers are not thread-safe. It caches the class path for all sources. */
    private static final ThreadLocal<StandardJavaFileManager> FILES =
            ThreadLocal.withInitial(() -> compiler().getStandardFileManager(null, null, StandardCharsets.UTF_8));

    private SourceCompiler() {}

    /**
     * Returns the classes of this source by name.
     *
     * @throws IllegalStateException if it does not compile
     */
    static Map<String, byte[]> compile(String type, String text) {
        var messages = new StringWriter();
        var output = new Output(FILES.get());
        boolean compiled = compiler()
                .getTask(messages, output, null, OPTIONS, null, List.of(new Source(type, text)))
                .call();
        if (!compiled) {
            throw new IllegalStateException(type + " with a bug in it does not compile:\n" + messages);
        }
        return output.classes();
    }

    private static JavaCompiler compiler() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("there is no compiler in this JVM: a JDK is needed");
        }
        return compiler;
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String type, String text) {
            super(URI.create("string:///" + type.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends ForwardingJavaFileManager<StandardJavaFileManager> {

        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        Output(StandardJavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, @Nullable FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind) {
                @Override
                public OutputStream openOutputStream() {
                    var bytes = new ByteArrayOutputStream();
                    written.put(name, bytes);
                    return bytes;
                }
            };
        }

        Map<String, byte[]> classes() {
            var classes = new HashMap<String, byte[]>();
            written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }
    }
}
