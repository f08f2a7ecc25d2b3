package io.baton.examples.races;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Plays both races with each protection, and prints what came of them. */
final class RacesMain {

    private static final int BALANCE = 100;

    private final Map<String, String> options = new HashMap<>(Map.of(
            "--jdbc", "jdbc:h2:mem:races;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000",
            "--store", "mem:races",
            "--rounds", "20",
            "--buyers", "10,50",
            "--stock", "300",
            "--work-us", "1000"));

    private boolean servers;

    private RacesMain() {}

    public static void main(String[] args) throws SQLException, InterruptedException {
        RacesMain main = new RacesMain();
        for (int index = 0; index < args.length; index++) {
            if (args[index].equals("--servers")) {
                main.servers = true;
                continue;
            }
            if (!main.options.containsKey(args[index]) || index + 1 == args.length) {
                System.err.println("races: options are --servers " + String.join(" V ", main.options.keySet()) + " V");
                System.exit(2);
            }
            main.options.put(args[index], args[++index]);
        }
        main.play();
        System.exit(0);
    }

    private void play() throws SQLException, InterruptedException {
        Duration work = Duration.ofNanos(1_000L * number("--work-us"));
        try (Race race = new Race(text("--jdbc"), text("--store"))) {
            System.out.printf(
                    "locks on %s, work between reading and writing: %d us%n", text("--store"), work.toNanos() / 1_000);
            int rounds = number("--rounds");
            print(
                    "An account of " + BALANCE + ", " + rounds + " times: two transfers of " + BALANCE + " at once",
                    "paid too much",
                    race,
                    rounds,
                    new RaceRules(2, BALANCE, BALANCE, false, work, false));
            for (RaceRules sale : sales(work)) {
                print(
                        "A sale of " + sale.stock() + " pieces to " + sale.buyers() + " buyers",
                        "sold too many",
                        race,
                        1,
                        sale);
            }
        }
        if (servers) {
            ServerRaces.play(sales(work).get(0));
        }
    }

    private List<RaceRules> sales(Duration work) {
        return Stream.of(text("--buyers").split(",", -1))
                .map(buyers -> new RaceRules(Integer.parseInt(buyers), number("--stock"), 1, true, work, false))
                .toList();
    }

    private static void print(String title, String wrong, Race race, int rounds, RaceRules rules)
            throws SQLException, InterruptedException {
        System.out.printf("%n%s%n%n", title);
        System.out.printf("| | %s | purchases a second | longest wait, ms |%n|---|---|---|---|%n", wrong);
        for (RaceRow each : RaceRow.all(rules)) {
            RaceResult result = each.play(race, rules, rounds);
            System.out.println(String.format(
                    Locale.ROOT,
                    "| %s | %s | %,.0f | %,.1f |",
                    each.label(),
                    result.verdict(),
                    result.purchasesPerSecond(),
                    result.longestWaitMillis()));
        }
    }

    private String text(String option) {
        return options.getOrDefault(option, "");
    }

    private int number(String option) {
        return Integer.parseInt(text(option));
    }
}
