package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README shows is what is compiled and tested here. */
class ReadmeTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** A comment that names a file and a tag, then the snippet. */
    private static final Pattern SNIPPET =
            Pattern.compile("<!-- (examples/\\S+\\.java)#(\\w+) -->\\R```java\\R(.*?)```", Pattern.DOTALL);

    private static final Pattern JAVA_BLOCK = Pattern.compile("^```java", Pattern.MULTILINE);

    @Test
    void readme_everySnippet_isTheSourceItNames() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        List<MatchResult> snippets = SNIPPET.matcher(readme).results().toList();
        assertThat(snippets).hasSize((int) JAVA_BLOCK.matcher(readme).results().count());
        assertThat(snippets).isNotEmpty();
        for (MatchResult snippet : snippets) {
            assertThat(snippet.group(3))
                    .as("%s#%s", snippet.group(1), snippet.group(2))
                    .isEqualTo(tagged(snippet.group(1), snippet.group(2)));
        }
    }

    private static String tagged(String file, String tag) throws IOException {
        String source = Files.readString(ROOT.resolve(file));
        int start = source.indexOf('\n', source.indexOf("// tag::" + tag + "[]")) + 1;
        int end = source.lastIndexOf('\n', source.indexOf("// end::" + tag + "[]"));
        return source.substring(start, end).stripIndent() + "\n";
    }
}
