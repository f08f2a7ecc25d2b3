package io.baton.testkit.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("etcd")
class EtcdBinariesIT {

    private final EtcdBinaries newest = EtcdBinaries.newest();

    @Test
    void all_fromTheOldestToTheNewest() {
        List<EtcdBinaries> all = EtcdBinaries.all();

        assertThat(all).extracting(EtcdBinaries::version).isSorted().doesNotHaveDuplicates();
        assertThat(all.get(0)).isEqualTo(EtcdBinaries.oldest());
        assertThat(all.get(all.size() - 1)).isEqualTo(newest);
    }

    @Test
    void find_programsAndDirectories_areFoundOnce() {
        String both = newest.etcd() + File.pathSeparator + newest.etcd().getParent();

        assertThat(EtcdBinaries.find(Optional.of(both), "")).containsExactly(newest);
    }

    @Test
    void find_variableNotSetOrEmpty_looksInThePath(@TempDir Path empty) {
        String path = empty + File.pathSeparator + newest.etcd().getParent();

        assertThat(EtcdBinaries.find(Optional.empty(), path)).containsExactly(newest);
        assertThat(EtcdBinaries.find(Optional.of(""), path)).containsExactly(newest);
        assertThat(EtcdBinaries.find(Optional.empty(), empty.toString())).isEmpty();
    }

    @Test
    void find_namedButNotThere_isRefused(@TempDir Path empty) {
        assertThatThrownBy(() -> EtcdBinaries.find(Optional.of(empty.toString()), ""))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(empty.toString());
    }

    @Test
    void version_isReadFromText() {
        assertThat(EtcdVersion.in("etcd Version: 3.4.23\nGo Version: go1.19.8")).isEqualTo(new EtcdVersion(3, 4, 23));
        assertThat(new EtcdVersion(3, 10, 0)).isGreaterThan(new EtcdVersion(3, 9, 9));
    }
}
