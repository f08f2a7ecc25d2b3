package io.baton.chaos.election;

import io.baton.chaos.candidate.CandidateArguments;
import io.baton.chaos.candidate.CandidateMain;
import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import io.baton.election.WhenSuspended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** One run: a server, processes of candidates, forced successions, and what came of them. */
final class ElectionScenario {

    private static final String ELECTION = "chief";
    private static final Duration TO_END = Duration.ofSeconds(30);
    private static final int MOST_PAUSE_MILLIS = 30;
    private static final int HEAP_MEGABYTES = 64;

    private final ElectionSettings settings;
    private final Random random = new Random(1);
    private final Map<Cause, Double> requests = new EnumMap<>(Cause.class);

    ElectionScenario(ElectionSettings settings) {
        this.settings = settings;
    }

    /** Plays it, and judges it. */
    ElectionReport play() throws Exception {
        CandidatePlan crew =
                new CandidatePlan(CandidateMain.class, this::words, "p", settings.processes(), HEAP_MEGABYTES);
        try (Site site = settings.store().start();
                Electorate electorate = new Electorate(crew, site, settings.folder())) {
            try {
                return play(site, electorate);
            } finally {
                electorate.chronicle().write(settings.folder().resolve("all.history"));
            }
        }
    }

    private ElectionReport play(Site site, Electorate electorate) throws Exception {
        SuccessionRun reign = new SuccessionRun(electorate, site, ELECTION);
        awaitAll(site);
        Optional<RequestCost> counted = settings.writes() ? Optional.empty() : Optional.of(RequestCost.on(site));
        for (Map.Entry<Cause, Integer> deed : settings.deeds().entrySet()) {
            stretch(reign, counted, deed.getKey(), deed.getValue());
        }
        awaitSeen(electorate);
        awaitRefused(electorate, reign.successions());
        long end = System.nanoTime();
        List<String> violations = new ArrayList<>();
        for (CandidateSlot post : electorate.posts()) {
            if (!post.end(TO_END)) {
                violations.add(post.name() + " has not ended though it was told to");
            }
        }
        return judge(site.what(), electorate.chronicle().events(), reign.successions(), end, violations);
    }

    /** Every other process rides out what it can. */
    private List<String> words(String name, String uri) {
        boolean rides = (name.charAt(1) - '0') % 2 == 1;
        return new CandidateArguments(
                        name,
                        uri,
                        settings.ttl(),
                        ELECTION,
                        settings.candidates(),
                        rides ? WhenSuspended.RIDE_OUT : WhenSuspended.STOP,
                        settings.ttl().dividedBy(4),
                        true,
                        settings.writes())
                .words();
    }

    private void stretch(SuccessionRun reign, Optional<RequestCost> counted, Cause deed, int times) throws Exception {
        counted.ifPresent(RequestCost::begin);
        for (int i = 0; i < times; i++) {
            reign.end(deed);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_PAUSE_MILLIS));
        }
        if (counted.isPresent() && times > 0 && !deed.endsContact()) {
            requests.put(deed, counted.get().each(times));
        }
    }

    private void awaitAll(Site site) throws Exception {
        long deadline = System.nanoTime() + TO_END.toNanos();
        while (site.standing(ELECTION) < settings.standing()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("not all stand: " + site.standing(ELECTION));
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** All observers that live have seen the last leader. */
    private static void awaitSeen(Electorate electorate) throws InterruptedException {
        String term = electorate.leader().text("term");
        for (CandidateSlot post : electorate.posts()) {
            electorate.expect(
                    post.name() + " to see the last leader",
                    event -> event.what() == EventKind.SAW
                            && event.who().equals(post.name())
                            && event.text("term").equals(term));
        }
    }

    /** Who was frozen, or cut off, and is there again has had a write refused. */
    private void awaitRefused(Electorate electorate, List<Succession> successions) throws InterruptedException {
        if (settings.writes()) {
            for (Succession each : successions) {
                if (each.deed() != Cause.KILLED) {
                    electorate.expect(
                            "a write of term " + each.term() + " to be refused",
                            event -> event.what() == EventKind.REFUSED && event.number("term") == each.term());
                }
            }
        }
    }

    private ElectionReport judge(
            String what, List<Event> events, List<Succession> successions, long end, List<String> violations) {
        violations.addAll(LeaderCheck.check(events, successions));
        ObserverCheck sights = ObserverCheck.check(events, successions, end);
        violations.addAll(sights.violations());
        long refused = events.stream()
                .filter(event -> event.what() == EventKind.REFUSED && event.nanos() < end)
                .count();
        return new ElectionReport(
                what,
                settings.standing(),
                successions,
                requests,
                sights.expected(),
                sights.tooShort(),
                refused,
                violations);
    }
}
