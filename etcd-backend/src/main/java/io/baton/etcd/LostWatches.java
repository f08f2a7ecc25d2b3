package io.baton.etcd;

import io.baton.spi.support.RepeatedRefusal;
import io.baton.spi.support.SendStamp;

/**
 * Notices a connection on which requests are answered but watches are not, for example behind a proxy that holds
 * responses of streams back. Without watches, the session reads again and again. It reports that, and tries another
 * member.
 */
final class LostWatches {

    /** With this many lost in a row, and with each doubling of that, another member is tried. */
    private static final int MANY = 4;

    private final EtcdSession session;
    private final RepeatedRefusal refusal;
    // Those requested one after the other: watches that are lost together count as one.
    private int lost;
    private long countedAt;

    LostWatches(EtcdSession session) {
        this.session = session;
        this.refusal = session.repeatedRefusal(() -> "Cannot watch keys");
    }

    /** The server has set a watch. */
    void created() {
        lost = 0;
        refusal.resolved();
    }

    /** A watch requested then has ended. If the connection broke with it, that is known after the present task. */
    void lost(SendStamp sent, String why) {
        session.loop().execute(() -> {
            boolean inContact =
                    session.inContact() && sent.connection() == session.stamp().connection();
            if (inContact && (lost == 0 || sent.nanos() - countedAt > 0)) {
                count(why);
            }
        });
    }

    private void count(String why) {
        lost++;
        countedAt = session.loop().nanoTime();
        refusal.refused(why + "; requests are answered, so changes are looked for again and again");
        if (lost >= MANY && Integer.bitCount(lost) == 1) {
            session.wire().reconnect("watches are not answered: " + why);
        }
    }
}
