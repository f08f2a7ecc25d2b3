package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.spi.Loop;
import io.baton.spi.support.SendStamp;
import io.baton.testkit.sim.Leftovers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What proves that a lease is alive, and what does not. Time to live 10 s, margin 150 ms; times are in milliseconds. */
class EvidenceTest {

    private static final long MEMBER = 7;
    private static final long TERM = 3;
    private static final long LEASE = 77;
    private static final long OTHER = 78;

    private final HandLoop loop = new HandLoop();
    private final Evidence evidence = new Evidence(loop, Timing.of(Duration.ofSeconds(10)));

    @BeforeEach
    void connect() {
        loop.millis = 1_000;
        evidence.connectionChanged();
        evidence.leases(List.of(LEASE));
        read(1_000, 1_010, at(TERM));
    }

    @Test
    void renewed_oneOfTwoLeases_provesNothingUntilTheOtherIs() {
        evidence.leases(List.of(LEASE, OTHER));
        renew(2_000, 2_050, at(TERM));
        assertThat(read(2_050, 2_100, at(TERM))).isFalse();

        renew(OTHER, 3_000, 3_050, at(TERM));
        assertThat(read(3_040, 3_100, at(TERM))).isFalse();
        assertThat(read(3_050, 3_100, at(TERM))).isTrue();
        assertThat(deadlineMillis()).isEqualTo(2_000 + 10_000 - 150);
    }

    @Test
    void renewed_twoLeasesInTwoTerms_provesNothing() {
        evidence.leases(List.of(LEASE, OTHER));
        renew(2_000, 2_050, at(TERM));
        read(2_050, 2_100, at(TERM + 1));
        renew(OTHER, 3_000, 3_050, at(TERM + 1));

        assertThat(read(3_050, 3_100, at(TERM + 1))).isFalse();
    }

    /** Whichever of them was renewed last is the one that the read has to come after. */
    @Test
    void renewed_firstOfTwoLeasesLast_countsOnceAReadComesAfterThat() {
        evidence.leases(List.of(LEASE, OTHER));
        renew(OTHER, 2_000, 2_050, at(TERM));
        renew(LEASE, 3_000, 3_050, at(TERM));

        assertThat(read(3_040, 3_100, at(TERM))).isFalse();
        assertThat(read(3_050, 3_100, at(TERM))).isTrue();
        assertThat(deadlineMillis()).isEqualTo(2_000 + 10_000 - 150);
    }

    @Test
    void renewed_firstOfTwoLeasesInALaterTerm_provesNothing() {
        evidence.leases(List.of(LEASE, OTHER));
        renew(OTHER, 2_000, 2_050, at(TERM));
        read(2_050, 2_100, at(TERM + 1));
        renew(LEASE, 3_000, 3_050, at(TERM + 1));

        assertThat(read(3_050, 3_100, at(TERM + 1))).isFalse();
    }

    @Test
    void renewed_allLeasesAndRead_nothingIsKept() {
        renew(2_000, 2_050, at(TERM));
        assertThat(read(2_050, 2_100, at(TERM))).isTrue();

        assertThat(Leftovers.of(evidence, Map.of("Evidence.leases", 1, "Evidence.renewedIn", 1)))
                .isEmpty();
    }

    /** A read that is under way for long may rest on one of the last few. */
    @Test
    void renewed_manyWhileAReadIsUnderWay_theLastEightAreKept() {
        renew(2_000, 2_010, at(TERM));
        SendStamp early = evidence.stamp();
        for (int i = 1; i < 8; i++) {
            renew(2_000 + 100 * i, 2_010 + 100 * i, at(TERM));
        }
        assertThat(evidence.confirmed(early, at(TERM))).isTrue();
        assertThat(deadlineMillis()).isEqualTo(2_000 + 10_000 - 150);

        SendStamp late = evidence.stamp();
        for (int i = 0; i < 9; i++) {
            renew(4_000 + 100 * i, 4_010 + 100 * i, at(TERM));
        }
        assertThat(evidence.confirmed(new SendStamp(4_010_000_000L, 4_010, late.connection()), at(TERM)))
                .isFalse();
    }

    @Test
    void leases_othersThanRenewed_makeWhatWasRenewedWorthNothing() {
        renew(2_000, 2_050, at(TERM));
        evidence.leases(List.of());
        renew(2_100, 2_150, at(TERM));
        evidence.leases(List.of(LEASE, OTHER));

        assertThat(read(2_200, 2_250, at(TERM))).isFalse();
        renew(OTHER, 2_300, 2_350, at(TERM));
        assertThat(read(2_350, 2_400, at(TERM))).isFalse();
    }

    @Test
    void confirmed_renewalBetweenTwoAnswersOfOneTerm_countsFromItsSend() {
        renew(2_000, 2_050, at(TERM));

        assertThat(read(2_050, 2_100, at(TERM))).isTrue();
        assertThat(deadlineMillis()).isEqualTo(2_000 + 10_000 - 150);
    }

    @Test
    void renewed_withoutAReadAfterIt_provesNothing() {
        for (int at = 2_000; at < 60_000; at += 500) {
            renew(at, at + 10, at(TERM));
        }

        assertThat(left()).isNegative();
    }

    @Test
    void confirmed_readsAlone_proveNothing() {
        for (int at = 2_000; at < 60_000; at += 500) {
            assertThat(read(at, at + 10, at(TERM))).isFalse();
        }

        assertThat(left()).isNegative();
    }

    @Test
    void confirmed_readSentBeforeTheRenewalWasAnswered_provesNothing() {
        loop.millis = 2_020;
        SendStamp early = evidence.stamp();
        renew(2_000, 2_050, at(TERM));
        loop.millis = 2_100;

        assertThat(evidence.confirmed(early, at(TERM))).isFalse();
        assertThat(read(2_100, 2_120, at(TERM))).isTrue();
    }

    @Test
    void renewed_answeredInALaterTermThanBefore_provesNothing() {
        renew(2_000, 2_050, at(TERM + 1));

        assertThat(read(2_100, 2_150, at(TERM + 1))).isFalse();
    }

    @Test
    void confirmed_inALaterTermThanTheRenewal_provesNothing() {
        renew(2_000, 2_050, at(TERM));

        assertThat(read(2_100, 2_150, at(TERM + 1))).isFalse();
        assertThat(read(2_200, 2_250, at(TERM))).isFalse();
    }

    @Test
    void confirmed_byAnotherMemberInTheSameTerm_provesNothing() {
        renew(2_000, 2_050, at(TERM));

        assertThat(read(2_100, 2_150, new Header(1, MEMBER + 1, 50, TERM))).isFalse();
    }

    @Test
    void renewed_nothingAnsweredBefore_provesNothing() {
        evidence.connectionChanged();
        renew(2_000, 2_050, at(TERM));

        assertThat(read(2_100, 2_150, at(TERM))).isFalse();
    }

    @Test
    void renewed_sentBeforeTheFirstAnswer_provesNothing() {
        evidence.connectionChanged();
        loop.millis = 2_000;
        SendStamp sent = evidence.stamp();
        Object before = evidence.before();
        read(2_010, 2_020, at(TERM));
        evidence.renewed(LEASE, sent, before, at(TERM));

        assertThat(read(2_100, 2_150, at(TERM))).isFalse();
    }

    @Test
    void confirmed_renewedOnAnotherConnection_provesNothing() {
        renew(2_000, 2_050, at(TERM));
        evidence.connectionChanged();

        assertThat(read(2_100, 2_150, at(TERM))).isFalse();
        assertThat(read(2_200, 2_250, at(TERM))).isFalse();
    }

    @Test
    void confirmed_sentOnTheOldConnection_provesNothing() {
        loop.millis = 2_500;
        SendStamp old = evidence.stamp();
        evidence.connectionChanged();
        read(2_600, 2_650, at(TERM));
        loop.millis = 2_660;
        SendStamp renewal = evidence.stamp();
        evidence.renewed(LEASE, renewal, evidence.before(), at(TERM));
        loop.millis = 2_700;

        assertThat(evidence.confirmed(old, at(TERM))).isFalse();
    }

    @Test
    void renewed_sentOnTheOldConnection_provesNothing() {
        loop.millis = 2_000;
        SendStamp old = evidence.stamp();
        Object before = evidence.before();
        evidence.connectionChanged();
        read(2_100, 2_150, at(TERM));
        evidence.renewed(LEASE, old, before, at(TERM));

        assertThat(read(2_200, 2_250, at(TERM))).isFalse();
    }

    @Test
    void answered_onTheOldConnection_isNoAnswerBeforeARenewalOnTheNewOne() {
        loop.millis = 2_000;
        SendStamp oldRenewal = evidence.stamp();
        SendStamp oldRead = evidence.stamp();
        Object before = evidence.before();
        evidence.connectionChanged();
        loop.millis = 2_050;
        evidence.renewed(LEASE, oldRenewal, before, at(TERM));
        renew(2_100, 2_150, at(TERM));
        assertThat(read(2_200, 2_250, at(TERM))).isFalse();

        evidence.connectionChanged();
        loop.millis = 2_300;
        evidence.confirmed(oldRead, at(TERM));
        renew(2_400, 2_450, at(TERM));
        assertThat(read(2_500, 2_550, at(TERM))).isFalse();
    }

    @Test
    void confirmed_severalRenewals_countsTheNewestAnsweredBefore() {
        renew(2_000, 2_050, at(TERM));
        renew(3_000, 3_050, at(TERM));

        assertThat(read(3_100, 3_150, at(TERM))).isTrue();
        assertThat(deadlineMillis()).isEqualTo(3_000 + 10_000 - 150);
    }

    @Test
    void confirmed_theTermHasChangedAndStays_provesAgain() {
        renew(2_000, 2_050, at(TERM));
        read(2_100, 2_150, at(TERM + 1));
        renew(3_000, 3_050, at(TERM + 1));

        assertThat(read(3_100, 3_150, at(TERM + 1))).isTrue();
    }

    @Test
    void confirmed_manyRevisionsLater_provesNothingAsTheTermMayBeOld() {
        renew(2_000, 2_050, at(TERM));

        assertThat(read(2_100, 2_150, new Header(1, MEMBER, 50 + Evidence.LEAP, TERM)))
                .isFalse();
        assertThat(read(2_200, 2_250, at(TERM))).isFalse();
    }

    @Test
    void confirmed_someRevisionsLater_counts() {
        renew(2_000, 2_050, at(TERM));

        assertThat(read(2_100, 2_150, new Header(1, MEMBER, 49 + Evidence.LEAP, TERM)))
                .isTrue();
    }

    @Test
    void granted_countsFromItsSend() {
        loop.millis = 5_000;
        SendStamp sent = evidence.stamp();
        loop.millis = 6_000;

        assertThat(evidence.granted(sent)).isTrue();
        assertThat(deadlineMillis()).isEqualTo(5_000 + 10_000 - 150);
    }

    /** What was sent earlier proves less, and takes nothing away. */
    @Test
    void granted_sentBeforeWhatIsProven_leavesTheProof() {
        loop.millis = 5_000;
        SendStamp early = evidence.stamp();
        loop.millis = 6_000;
        evidence.granted(evidence.stamp());

        assertThat(evidence.granted(early)).isFalse();
        assertThat(deadlineMillis()).isEqualTo(6_000 + 10_000 - 150);
    }

    @Test
    void timing_longerTimeGranted_countsFromThen() {
        evidence.timing(Timing.of(Duration.ofSeconds(20)));
        renew(2_000, 2_050, at(TERM));
        read(2_100, 2_150, at(TERM));

        assertThat(deadlineMillis()).isEqualTo(2_000 + 20_000 - 250);
    }

    @Test
    void missing_renewedInThisTermAndConfirmedAfterwards_hasEnded() {
        renew(2_000, 2_050, at(TERM));
        miss(3_000, 3_050, at(TERM));
        read(3_040, 3_100, at(TERM));
        assertThat(evidence.takeEnded()).isEmpty();

        read(3_050, 3_110, at(TERM));
        assertThat(evidence.takeEnded()).containsExactly(LEASE);
        read(3_120, 3_130, at(TERM));
        assertThat(evidence.takeEnded()).isEmpty();
    }

    /** As by a leader that has not yet heard of it, or that was stopped before it was granted. */
    @Test
    void missing_notRenewedInThisTerm_isNotKnown() {
        miss(3_000, 3_050, at(TERM));
        read(3_050, 3_100, at(TERM));
        assertThat(evidence.takeEnded()).isEmpty();

        renew(4_000, 4_050, at(TERM));
        read(4_050, 4_060, at(TERM + 1));
        miss(5_000, 5_050, at(TERM + 1));
        read(5_050, 5_100, at(TERM + 1));
        assertThat(evidence.takeEnded()).isEmpty();
    }

    @Test
    void missing_anotherLeadsByNow_isNotKnown() {
        renew(2_000, 2_050, at(TERM));
        miss(3_000, 3_050, at(TERM));
        read(3_050, 3_100, at(TERM + 1));
        assertThat(evidence.takeEnded()).isEmpty();

        read(3_150, 3_200, at(TERM));
        renew(4_000, 4_050, at(TERM));
        miss(5_000, 5_050, at(TERM));
        read(5_050, 5_100, new Header(1, MEMBER, 50 + Evidence.LEAP, TERM));
        assertThat(evidence.takeEnded()).isEmpty();
    }

    @Test
    void missing_askedBeforeTheFirstAnswerInThisTerm_isNotKnown() {
        renew(2_000, 2_050, at(TERM));
        read(2_060, 2_070, at(TERM + 1));
        renew(2_100, 2_150, at(TERM + 1));
        read(2_160, 2_170, at(TERM));
        miss(3_000, 3_050, at(TERM + 1));
        read(3_050, 3_100, at(TERM + 1));

        assertThat(evidence.takeEnded()).isEmpty();
    }

    @Test
    void missing_otherLeasesMatterByThen_isNotKnown() {
        renew(2_000, 2_050, at(TERM));
        miss(3_000, 3_050, at(TERM));
        evidence.leases(List.of(OTHER));
        read(3_050, 3_100, at(TERM));

        assertThat(evidence.takeEnded()).isEmpty();
    }

    @Test
    void missing_answeredOnTheOldConnection_isNoAnswerBeforeARenewalOnTheNewOne() {
        loop.millis = 2_000;
        SendStamp old = evidence.stamp();
        Object before = evidence.before();
        evidence.connectionChanged();
        evidence.missing(LEASE, old, before, at(TERM));

        renew(2_100, 2_150, at(TERM));
        assertThat(read(2_200, 2_250, at(TERM))).isFalse();
    }

    private void miss(long sent, long answered, Header header) {
        loop.millis = sent;
        SendStamp stamp = evidence.stamp();
        Object before = evidence.before();
        loop.millis = answered;
        evidence.missing(LEASE, stamp, before, header);
    }

    private static Header at(long term) {
        return new Header(1, MEMBER, 50, term);
    }

    private void renew(long sent, long answered, Header header) {
        renew(LEASE, sent, answered, header);
    }

    private void renew(long lease, long sent, long answered, Header header) {
        loop.millis = sent;
        SendStamp stamp = evidence.stamp();
        Object before = evidence.before();
        loop.millis = answered;
        evidence.renewed(lease, stamp, before, header);
    }

    private boolean read(long sent, long answered, Header header) {
        loop.millis = sent;
        SendStamp stamp = evidence.stamp();
        loop.millis = answered;
        return evidence.confirmed(stamp, header);
    }

    private long left() {
        return evidence.proof().remainingNanos(loop.nanoTime());
    }

    private long deadlineMillis() {
        return evidence.proof().deadlineNanos() / 1_000_000;
    }

    /** A clock moved by hand; nothing is ever run. */
    private static final class HandLoop implements Loop {

        private long millis;

        @Override
        public long nanoTime() {
            return millis * 1_000_000;
        }

        @Override
        public long wallMillis() {
            return millis;
        }

        @Override
        public long randomLong() {
            return 4;
        }

        @Override
        public void execute(Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            throw new UnsupportedOperationException();
        }
    }
}
