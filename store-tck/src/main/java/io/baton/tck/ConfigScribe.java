package io.baton.tck;

import io.baton.Coordinator;
import io.baton.Op;
import io.baton.Records;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** The only writer of a space, with Baton and without it. Records the resulting states. */
final class ConfigScribe {

    private static final List<String> KEYS = List.of("a", "b", "c/d", "e.json", "f");

    private final ConfigCourse course = new ConfigCourse();
    private final Random random = new Random(7);
    private final Coordinator baton;
    private final Records records;
    private final ConfigStore store;
    private int number;

    ConfigScribe(Coordinator baton, String space) {
        this.baton = baton;
        this.records = baton.records(space);
        this.store = ConfigStore.of(baton, space);
    }

    ConfigCourse course() {
        return course;
    }

    /** Makes this many random edits of several keys at once, most of them by Baton and the rest without it. */
    void writeSome(int edits) throws InterruptedException {
        for (int i = 0; i < edits; i++) {
            switch (random.nextInt(4)) {
                case 0 -> writePast(draw());
                case 1 -> deletePast();
                default -> change(draw());
            }
        }
    }

    /** Changes these keys to these texts; an empty text deletes its key. */
    ConfigCommit change(Map<String, String> texts) throws InterruptedException {
        ConfigEdit edit = Chapter.edit(store).author("tck");
        texts.forEach((key, text) -> {
            if (text.isEmpty()) {
                edit.delete(key);
            } else {
                edit.put(key, text);
            }
        });
        ConfigCommit commit = edit.commit();
        course.changed(applied(texts), commit.revision(), commit.change());
        return commit;
    }

    /** As {@link #change}, in one transaction without Baton's configuration. */
    void writePast(Map<String, String> texts) throws InterruptedException {
        List<Op> ops = new ArrayList<>();
        texts.forEach(
                (key, text) -> ops.add(text.isEmpty() ? Op.delete(records.key(key)) : Op.put(records.key(key), text)));
        if (!baton.transact(List.of(), ops)) {
            throw new AssertionError("refused without a guard");
        }
        course.written(applied(texts), revision(texts));
    }

    private void deletePast() throws InterruptedException {
        String key = KEYS.get(random.nextInt(KEYS.size()));
        records.delete(key);
        if (course.values().containsKey(key)) {
            course.written(applied(Map.of(key, "")), ConfigCourse.UNKNOWN);
        }
    }

    /** Draws up to three keys, the first with a value to write. */
    private Map<String, String> draw() {
        Map<String, String> texts = new TreeMap<>();
        texts.put(KEYS.get(random.nextInt(KEYS.size())), text());
        for (int i = random.nextInt(3); i > 0; i--) {
            texts.putIfAbsent(KEYS.get(random.nextInt(KEYS.size())), random.nextInt(3) == 0 ? "" : text());
        }
        texts.entrySet()
                .removeIf(each -> each.getValue().isEmpty() && !course.values().containsKey(each.getKey()));
        return texts;
    }

    private String text() {
        return String.valueOf(++number);
    }

    private Map<String, String> applied(Map<String, String> texts) {
        Map<String, String> values = new TreeMap<>(course.values());
        values.putAll(texts);
        values.values().removeIf(String::isEmpty);
        return values;
    }

    private long revision(Map<String, String> texts) throws InterruptedException {
        for (var text : texts.entrySet()) {
            if (!text.getValue().isEmpty()) {
                return records.get(text.getKey()).orElseThrow().revision().order();
            }
        }
        return ConfigCourse.UNKNOWN;
    }
}
