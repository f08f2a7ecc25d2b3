package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Dialect;
import io.baton.spi.Claim;
import io.baton.spi.Line;
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
        String ours = prefix(Naming.CURATOR, OURS) + "0000000012";
        String theirs = prefix(Naming.CURATOR, THEIRS) + "0000000011";

        LineListing line =
                LineListing.of(Naming.CURATOR, List.of(ours, "notes", theirs, "lock-0000000002", "lease", "x7"));

        assertThat(line.numbered()).isTrue();
        assertThat(line.entries())
                .containsExactly(
                        new EntryName("lock-0000000002", 2, false, Claim.EXCLUSIVE),
                        new EntryName(theirs, 11, false, Claim.EXCLUSIVE),
                        new EntryName(ours, 12, true, Claim.EXCLUSIVE));
        assertThat(line.ahead(line.entries().get(2))).containsExactly("lock-0000000002", theirs);
    }

    @Test
    void lineup_ofLatches_isInSequenceOrder() throws ForeignEntryException {
        String ours = prefix(Naming.CURATOR_LATCH, OURS) + "0000000012";
        String theirs = prefix(Naming.CURATOR_LATCH, THEIRS) + "0000000011";

        assertThat(LineListing.of(Naming.CURATOR_LATCH, List.of(ours, theirs, "latch-0000000002"))
                        .entries())
                .containsExactly(
                        new EntryName("latch-0000000002", 2, false, Claim.EXCLUSIVE),
                        new EntryName(theirs, 11, false, Claim.EXCLUSIVE),
                        new EntryName(ours, 12, true, Claim.EXCLUSIVE));
        assertThatThrownBy(() -> Naming.CURATOR_LATCH.parse(prefix(Naming.CURATOR, OURS) + "0000000003"))
                .isInstanceOf(ForeignEntryException.class);
    }

    @Test
    void lineup_ofKazoosNames_isInSequenceOrder() throws ForeignEntryException {
        String ours = prefix(Naming.KAZOO, OURS) + "0000000002";
        String theirs = "8f3c8a540d334c0e9d3e2f4a3a1b7c11__lock__0000000001";

        assertThat(LineListing.of(Naming.KAZOO, List.of(ours, theirs, "x")).entries())
                .containsExactly(
                        new EntryName(theirs, 1, false, Claim.EXCLUSIVE),
                        new EntryName(ours, 2, true, Claim.EXCLUSIVE));
    }

    @Test
    void prefix_ofEachDialect_isWhatItsPeersLookFor() {
        assertThat(Naming.of(Line.at("/x", Dialect.BATON))).isEqualTo(Naming.CURATOR);
        assertThat(prefix(Naming.of(Line.at("/x", ZooKeeperDialects.CURATOR)), OURS))
                .matches("_c_[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-lock-");
        assertThat(prefix(Naming.of(Line.at("/x", ZooKeeperDialects.KAZOO)), OURS))
                .matches("[0-9a-f]{12}8[0-9a-f]{19}__lock__");
        assertThat(prefix(Naming.of(Line.at("/x", ZooKeeperDialects.CURATOR_LATCH)), OURS))
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
        assertThatThrownBy(() -> Naming.KAZOO.parse(prefix(Naming.CURATOR, OURS) + "0000000003"))
                .isInstanceOf(ForeignEntryException.class)
                .hasMessageContaining("a Curator mutex");
    }

    @ParameterizedTest
    @EnumSource(Naming.class)
    void lineup_numbersNearTheirEnd_isNotInTheirOrder(Naming naming) throws ForeignEntryException {
        for (String end : List.of("-2147483648", "-000000001", "2147483647", "2130706432")) {
            String late = prefix(naming, OURS) + end;
            LineListing line = LineListing.of(naming, List.of(late, prefix(naming, OURS) + "0000000001"));

            assertThat(line.numbered()).as(end).isFalse();
            assertThat(line.entries()).extracting(EntryName::sequence).contains(Long.parseLong(end));
        }
        assertThat(LineListing.of(naming, List.of(prefix(naming, OURS) + "2130706431"))
                        .numbered())
                .isTrue();
    }

    @Test
    void lineup_numbersNearTheirEndAndAnotherProgram_isRefused() {
        String late = prefix(Naming.CURATOR, OURS) + "2147483647";
        for (String theirs : List.of(prefix(Naming.CURATOR, THEIRS) + "0000000001", "lock-0000000001")) {
            assertThatThrownBy(() -> LineListing.of(Naming.CURATOR, List.of(late, theirs)))
                    .isInstanceOf(ForeignEntryException.class)
                    .hasMessageContaining("used up")
                    .hasMessageContaining(theirs);
        }
    }

    @Test
    void readWriteLock_asCuratorNamesThem_claimsByTheName() throws ForeignEntryException {
        String reader = Naming.CURATOR_READ_WRITE.prefix(OURS, Claim.SHARED) + "0000000004";
        String writer = Naming.CURATOR_READ_WRITE.prefix(THEIRS, Claim.EXCLUSIVE) + "0000000003";
        LineListing line =
                LineListing.of(Naming.CURATOR_READ_WRITE, List.of(reader, writer, "__READ__0000000001", "notes"));

        assertThat(reader).isEqualTo("_c_" + OURS + "-__READ__0000000004");
        assertThat(line.entries())
                .containsExactly(
                        new EntryName("__READ__0000000001", 1, false, Claim.SHARED),
                        new EntryName(writer, 3, false, Claim.EXCLUSIVE),
                        new EntryName(reader, 4, true, Claim.SHARED));
        assertThat(line.ahead(line.entries().get(2))).containsExactly(writer);
        assertThat(line.ahead(line.entries().get(1))).containsExactly("__READ__0000000001");
    }

    @Test
    void permits_numberInTheName_isTheClaim() throws ForeignEntryException {
        String three = Naming.PERMITS.prefix(OURS, Claim.permits(3)) + "0000000004";
        String most = Naming.PERMITS.prefix(OURS, Claim.permits(Integer.MAX_VALUE)) + "0000000005";

        assertThat(Naming.PERMITS.parse(three)).isEqualTo(new EntryName(three, 4, true, Claim.permits(3)));
        assertThat(Naming.PERMITS.parse(most))
                .isEqualTo(new EntryName(most, 5, true, Claim.permits(Integer.MAX_VALUE)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"permits-", "permits-0-", "permits-x-", "permits--1-", "permits-99999999999-", "permits-3"})
    void permits_noNumber_isRefused(String kind) {
        assertThatThrownBy(() -> Naming.PERMITS.parse("_c_" + OURS + "-" + kind + "0000000004"))
                .isInstanceOf(ForeignEntryException.class);
    }

    @Test
    void of_readWriteLockOfKazoo_isRefusedWithTheDialectsThatHaveThem() {
        assertThatThrownBy(() -> Naming.of(Line.at("/x", ZooKeeperDialects.KAZOO, Line.Kind.READ_WRITE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there are no read/write locks of dialect kazoo on ZooKeeper, only of baton, curator");
    }

    private static String prefix(Naming naming, UUID id) {
        return naming.prefix(id, naming == Naming.PERMITS ? Claim.permits(3) : Claim.EXCLUSIVE);
    }
}
