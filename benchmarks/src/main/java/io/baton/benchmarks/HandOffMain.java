package io.baton.benchmarks;

import io.baton.benchmarks.Fairness.Part;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * The program of a client process. It connects, warms up while no other client takes the lock, and then plays a round
 * for each line that it reads. The line says when the round begins and ends.
 */
final class HandOffMain {

    private HandOffMain() {}

    /**
     * Plays until standard input ends.
     *
     * @param args the field, the side, the servers, the row's name, the number of the worker, the file with the
     *     section that the lock protects, and for how many nanoseconds it warms up alone
     */
    public static void main(String[] args) throws Exception {
        Field field = Field.valueOf(args[0]);
        Section section = Section.in(Path.of(args[5]));
        int worker = Integer.parseInt(args[4]);
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Side side = field.side(args[1], args[2], field.row(args[3]).ofOneClient())) {
            long warm = System.nanoTime() + Long.parseLong(args[6]);
            Work.loop(side.turns().get(0), worker, section, LockKind.MUTEX, warm);
            System.out.println("ready");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] word = line.split(" ", -1);
                ClientRound played = round(side, worker, section, Long.parseLong(word[0]), Long.parseLong(word[1]));
                System.out.println(played.words());
            }
        }
    }

    private static ClientRound round(Side side, int worker, Section section, long start, long end) throws Exception {
        for (long left = start - System.nanoTime(); left > 0; left = start - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        Usage before = Usage.soFar();
        Part part = Work.loop(side.turns().get(0), worker, section, LockKind.MUTEX, end);
        side.settle();
        long now = System.nanoTime();
        return new ClientRound(part, Usage.soFar().minus(before), now);
    }
}
