package io.baton.examples.races;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A row of a table.
 *
 * @param protection what buyers are protected by
 * @param frozen whether one of them is frozen
 */
record RaceRow(Protection protection, boolean frozen) {

    private static final int ROUNDS_FROZEN = 5;

    /** All rows of a race with these rules. Only a stock of many pieces is spread over several rows of the database. */
    static List<RaceRow> all(RaceRules rules) {
        List<RaceRow> all = new ArrayList<>();
        for (boolean frozen : new boolean[] {false, true}) {
            for (Protection each : Protection.values()) {
                boolean enough = rules.untilSoldOut() || each.rows() == 1;
                if (enough && (!frozen || holdsWhileItWorks(each))) {
                    all.add(new RaceRow(each, frozen));
                }
            }
        }
        return all;
    }

    private static boolean holdsWhileItWorks(Protection protection) {
        return switch (protection) {
            case FOR_UPDATE, LOCK, FENCED_LOCK, FENCES, SEGMENTS -> true;
            case NONE, CONDITIONAL, OPTIMISTIC -> false;
        };
    }

    String label() {
        return protection.label() + (frozen ? "; one is frozen" : "");
    }

    /** The sum of so many rounds, or of a few, if one is frozen. */
    RaceResult play(Race race, RaceRules rules, int rounds) throws SQLException, InterruptedException {
        race.play(protection, rules); // for the compiler's sake
        RaceRules own = rules.frozen(frozen);
        RaceResult sum = race.play(protection, own);
        for (int round = 1; round < (frozen ? Math.min(rounds, ROUNDS_FROZEN) : rounds); round++) {
            sum = sum.plus(race.play(protection, own));
        }
        return sum;
    }
}
