package io.baton.etcd.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ClusterInquiryTest {

    private static final Path LAYOUT = Path.of("..", "docs", "internals", "wire-format.md");

    /** A document lists all that Baton writes. */
    @Test
    void branches_areAllThatBatonKeepsForItself() throws IOException {
        List<String> documented = Pattern.compile("`(?:<root>/)?(baton\\.[a-z]+|[a-z.]+(?=/<NAME>))")
                .matcher(Files.readString(LAYOUT))
                .results()
                .map(each -> each.group(1))
                .distinct()
                .toList();

        assertThat(documented).contains("locks", "rwlocks", "baton.inside", "baton.questions");
        assertThat(ClusterInquiry.BRANCHES).containsAll(documented);
    }
}
