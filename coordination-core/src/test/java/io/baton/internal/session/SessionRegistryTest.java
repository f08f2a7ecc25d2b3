package io.baton.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.recipe.ClientLoop;
import io.baton.spi.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is begun anew in each session, and in which order it is notified. */
@Timeout(60)
class SessionRegistryTest {

    private final HandLoop loop = new HandLoop();
    private final SessionRegistry<Member> all = new SessionRegistry<>(new ClientLoop(loop));
    private final ScriptedStore session = new ScriptedStore(loop);
    private final List<String> told = new ArrayList<>();

    private class Member implements SessionBound {

        private final String name;

        Member(String name) {
            this.name = name;
        }

        @Override
        public void connected() {
            told.add(name + " connected");
        }

        @Override
        public void suspended() {
            told.add(name + " suspended");
        }

        @Override
        public void begin(Session now) {
            told.add(name + " begins");
        }

        @Override
        public void lost() {
            told.add(name + " lost");
        }

        @Override
        public void stop() {
            told.add(name + " stops");
        }
    }

    private void add(Member member) {
        all.add(member);
        loop.run();
    }

    @Test
    void connected_afterABreak_isToldAndBeginsNothing() {
        add(new Member("a"));
        all.connected(session);
        all.suspended();
        all.connected(session);
        all.lost();

        assertThat(told).containsExactly("a connected", "a begins", "a suspended", "a connected", "a lost");
    }

    @Test
    void add_duringABreak_beginsAndHearsOfTheContactLater() {
        all.connected(session);
        all.suspended();
        add(new Member("a"));
        all.connected(session);

        assertThat(told).containsExactly("a begins", "a connected");
    }

    @Test
    void end_byOneThatIsNotifiedBefore_isNotBegunAfterItHasStopped() {
        Member second = new Member("b");
        add(new Member("a") {
            @Override
            public void begin(Session now) {
                super.begin(now);
                all.end(second);
            }
        });
        add(second);

        all.connected(session);

        assertThat(told).containsExactly("a connected", "a begins", "b stops");
    }

    @Test
    void close_all_stopsEachOnceAndWhateverComesLater() {
        var subscription = all.add(new Member("a"));
        loop.run();
        all.close();
        subscription.close();
        add(new Member("b"));
        all.connected(session);

        assertThat(told).containsExactly("a stops", "b stops");
    }
}
