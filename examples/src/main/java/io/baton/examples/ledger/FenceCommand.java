package io.baton.examples.ledger;

import io.baton.election.Breadcrumb;
import io.baton.election.Fencer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Fences by a command, as one that cuts power: it is told the id, the address and the term of the former active one, and
 * ends with 0 only when that one does nothing any more.
 */
final class FenceCommand implements Fencer {

    private final List<String> command;

    FenceCommand(List<String> command) {
        this.command = List.copyOf(command);
    }

    @Override
    public void fence(Breadcrumb last) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(command);
        line.add(last.id());
        line.add(last.address());
        line.add(Long.toString(last.term()));
        Process process = new ProcessBuilder(line).inheritIO().start();
        try {
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException(line + " ended with " + status);
            }
        } finally {
            process.destroyForcibly();
        }
    }
}
