package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The README and all other documents show code that is compiled and tested here, and artifacts that there are. */
class ReadmeTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path README = ROOT.resolve("README.md");

    /** A reader gets through so many lines, and no more. */
    private static final int LONGEST = 250;

    /** A comment that names a file and a tag, then the snippet. */
    private static final Pattern SNIPPET =
            Pattern.compile("<!-- (examples/\\S+\\.java)#(\\w+) -->\\R```java\\R(.*?)```", Pattern.DOTALL);

    private static final Pattern JAVA_BLOCK = Pattern.compile("^```java", Pattern.MULTILINE);

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(baton-[a-z-]+)</artifactId>");

    static Stream<Path> pages() throws IOException {
        List<Path> guides;
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            guides = files.filter(file -> file.toString().endsWith(".md")).toList();
        }
        assertThat(guides).hasSizeGreaterThan(5);
        return Stream.concat(Stream.of(README), guides.stream()).map(ROOT::relativize);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void page_everySnippet_isTheSourceItNames(Path page) throws IOException {
        String text = Files.readString(ROOT.resolve(page));
        List<MatchResult> snippets = SNIPPET.matcher(text).results().toList();
        assertThat(snippets)
                .as("blocks of Java that stand right behind the comment <!-- examples/...java#tag -->")
                .hasSize((int) JAVA_BLOCK.matcher(text).results().count());
        for (MatchResult snippet : snippets) {
            assertThat(snippet.group(3))
                    .as("%s#%s", snippet.group(1), snippet.group(2))
                    .isEqualTo(tagged(snippet.group(1), snippet.group(2)));
        }
    }

    @Test
    void readme_itsLength_isThatOfAnIntroduction() throws IOException {
        String readme = Files.readString(README);
        assertThat(JAVA_BLOCK.matcher(readme).results()).isNotEmpty();
        assertThat(readme.lines().count()).isLessThanOrEqualTo(LONGEST);
    }

    @Test
    void readme_everyArtifactToDependOn_isInTheBom() throws IOException {
        String bom = Files.readString(ROOT.resolve("bom/pom.xml"));
        List<String> named = TestNames.groups(ARTIFACT, Files.readString(README));
        assertThat(named)
                .contains("baton-bom")
                .allSatisfy(artifact -> assertThat(bom).contains("<artifactId>" + artifact + "</artifactId>"));
    }

    private static String tagged(String file, String tag) throws IOException {
        String source = Files.readString(ROOT.resolve(file));
        assertThat(source).as("#%s", tag).contains("// tag::" + tag + "[]", "// end::" + tag + "[]");
        int start = source.indexOf('\n', source.indexOf("// tag::" + tag + "[]")) + 1;
        int end = source.lastIndexOf('\n', source.indexOf("// end::" + tag + "[]"));
        return source.substring(start, end).stripIndent() + "\n";
    }
}
