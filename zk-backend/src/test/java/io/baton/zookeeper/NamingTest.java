package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Dialect;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamingTest {

    private static final UUID OURS = Naming.id(0x1234_5678_9abc_def0L, 42);
    private static final UUID THEIRS = UUID.fromString("8f3c8a54-0d33-4c0e-9d3e-2f4a3a1b7c11");

    @Test
    void lineup_ofCuratorsNames_isInSequenceOrder() throws ForeignEntryException {
        String ours = Naming.CURATOR.prefix(OURS) + "0000000012";
        String theirs = Naming.CURATOR.prefix(THEIRS) + "0000000011";

        LineListing line =
                LineListing.of(Naming.CURATOR, List.of(ours, "notes", theirs, "lock-0000000002", "lease", "x7"));

        assertThat(line.numbered()).isTrue();
        assertThat(line.entries())
                .containsExactly(
                        new EntryName("lock-0000000002", 2, false),
                        new EntryName(theirs, 11, false),
                        new EntryName(ours, 12, true));
        assertThat(line.ahead(line.entries().get(2))).containsExactly("lock-0000000002", theirs);
    }

    @Test
    void lineup_ofLatches_isInSequenceOrder() throws ForeignEntryException {
        String ours = Naming.CURATOR_LATCH.prefix(OURS) + "0000000012";
        String theirs = Naming.CURATOR_LATCH.prefix(THEIRS) + "0000000011";

        assertThat(LineListing.of(Naming.CURATOR_LATCH, List.of(ours, theirs, "latch-0000000002"))
                        .entries())
                .containsExactly(
                        new EntryName("latch-0000000002", 2, false),
                        new EntryName(theirs, 11, false),
                        new EntryName(ours, 12, true));
        assertThatThrownBy(() -> Naming.CURATOR_LATCH.parse(Naming.CURATOR.prefix(OURS) + "0000000003"))
                .isInstanceOf(ForeignEntryException.class);
    }

    @Test
    void lineup_ofKazoosNames_isInSequenceOrder() throws ForeignEntryException {
        String ours = Naming.KAZOO.prefix(OURS) + "0000000002";
        String theirs = "8f3c8a540d334c0e9d3e2f4a3a1b7c11__lock__0000000001";

        assertThat(LineListing.of(Naming.KAZOO, List.of(ours, theirs, "x")).entries())
                .containsExactly(new EntryName(theirs, 1, false), new EntryName(ours, 2, true));
    }

    @Test
    void prefix_ofEachDialect_isWhatItsPeersLookFor() {
        assertThat(Naming.of(Dialect.BATON)).isEqualTo(Naming.CURATOR);
        assertThat(Naming.of(ZooKeeperDialects.CURATOR).prefix(OURS))
                .matches("_c_[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-lock-");
        assertThat(Naming.of(ZooKeeperDialects.KAZOO).prefix(OURS)).matches("[0-9a-f]{12}8[0-9a-f]{19}__lock__");
        assertThat(Naming.of(ZooKeeperDialects.CURATOR_LATCH).prefix(OURS))
                .matches("_c_[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-latch-");
    }

    @Test
    void id_ofAnyBits_isOfOurVersionAndKeepsEnoughOfThem() {
        var chance = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            UUID id = Naming.id(chance.nextLong(), chance.nextLong());
            assertThat(id.version()).isEqualTo(8);
            assertThat(id.variant()).isEqualTo(2);
        }
        assertThat(Naming.id(0, 0)).isNotEqualTo(Naming.id(1, 0)).isNotEqualTo(Naming.id(0, 4));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0123456789abcdef0123456789abcdef__lock__0000000003",
                "0123456789abcdef0123456789abcdef__rlock__0000000003",
                "_c_8f3c8a54-0d33-4c0e-9d3e-2f4a3a1b7c11-latch-0000000003",
                "_c_8f3c8a54-0d33-4c0e-9d3e-2f4a3a1b7c11__READ__0000000003",
                "_c_8f3c8a54-0d33-4c0e-9d3e-2f4a3a1b7c11-lease-0000000003",
                "0123456789abcdef0123456789abcdef__lock__-2147483648",
                "n_0000000003",
                "0000000003",
                "lock-99999999999",
            })
    void parse_anotherKindOfLock_isRefusedByName(String foreign) {
        assertThatThrownBy(() -> Naming.CURATOR.parse(foreign))
                .isInstanceOf(ForeignEntryException.class)
                .hasMessageContaining("another kind of lock")
                .hasMessageContaining(foreign);
    }

    @ParameterizedTest
    @CsvSource({
        "_c_8f3c8a54-0d33-4c0e-9d3e-2f4a3a1b7c11__READ__0000000003, a Curator read/write lock",
        "_c_8f3c8a54-0d33-4c0e-9d3e-2f4a3a1b7c11__WRIT__0000000003, a Curator read/write lock",
        "_c_8f3c8a54-0d33-4c0e-9d3e-2f4a3a1b7c11-latch-0000000003, a Curator LeaderLatch",
        "_c_8f3c8a54-0d33-4c0e-9d3e-2f4a3a1b7c11-lease-0000000003, a Curator semaphore",
        "0123456789abcdef0123456789abcdef__lock__0000000003, a kazoo Lock",
        "0123456789abcdef0123456789abcdef__rlock__0000000003, a kazoo read lock",
        "my-lock-0000000003, a Curator mutex",
        "n_0000000003, unknown",
        "-0000000003, unknown"
    })
    void parse_anotherKindOfLock_saysWhose(String foreign, String owner) {
        assertThatThrownBy(() -> Naming.CURATOR.parse(foreign))
                .isInstanceOf(ForeignEntryException.class)
                .hasMessageContaining("(" + owner + ")");
    }

    /** A number has ten places. */
    @ParameterizedTest
    @ValueSource(strings = {"notes-of-today-123456789", "0123456789-notes", "-123456789", "notes", ""})
    void parse_nameWithoutANumber_isNobodys(String name) throws ForeignEntryException {
        assertThat(Naming.CURATOR.parse(name)).isNull();
    }

    @Test
    void parse_curatorsNameInKazoosLine_isRefused() {
        assertThatThrownBy(() -> Naming.KAZOO.parse(Naming.CURATOR.prefix(OURS) + "0000000003"))
                .isInstanceOf(ForeignEntryException.class)
                .hasMessageContaining("a Curator mutex");
    }

    @ParameterizedTest
    @EnumSource(Naming.class)
    void lineup_numbersNearTheirEnd_isNotInTheirOrder(Naming naming) throws ForeignEntryException {
        for (String end : List.of("-2147483648", "-000000001", "2147483647", "2130706432")) {
            String late = naming.prefix(OURS) + end;
            LineListing line = LineListing.of(naming, List.of(late, naming.prefix(OURS) + "0000000001"));

            assertThat(line.numbered()).as(end).isFalse();
            assertThat(line.entries()).extracting(EntryName::sequence).contains(Long.parseLong(end));
        }
        assertThat(LineListing.of(naming, List.of(naming.prefix(OURS) + "2130706431"))
                        .numbered())
                .isTrue();
    }

    @Test
    void lineup_numbersNearTheirEndAndAnotherProgram_isRefused() {
        String late = Naming.CURATOR.prefix(OURS) + "2147483647";
        for (String theirs : List.of(Naming.CURATOR.prefix(THEIRS) + "0000000001", "lock-0000000001")) {
            assertThatThrownBy(() -> LineListing.of(Naming.CURATOR, List.of(late, theirs)))
                    .isInstanceOf(ForeignEntryException.class)
                    .hasMessageContaining("used up")
                    .hasMessageContaining(theirs);
        }
    }
}
