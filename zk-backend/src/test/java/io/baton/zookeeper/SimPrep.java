package io.baton.zookeeper;

import io.baton.zookeeper.SimRequest.Answer;
import io.baton.zookeeper.SimTree.Edit;
import io.baton.zookeeper.SimTree.Znode;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Decides what requests do, against all that was decided before (the server's {@code PrepRequestProcessor}). */
final class SimPrep {

    private final SimTree head;
    private final SimZkRefusals refusals;
    private int firstNumber;

    /** {@code head} is what has been decided so far; lines made from now on number their entries from the first number. */
    SimPrep(SimTree head, SimZkRefusals refusals, int firstNumber) {
        this.head = head;
        this.refusals = refusals;
        this.firstNumber = firstNumber;
    }

    /** What one request does. */
    record Decision(Answer answer, List<Edit> edits) {}

    SimTree head() {
        return head;
    }

    void numberFrom(int first) {
        firstNumber = first;
    }

    Decision create(long session, SimRequest.Create request, long zxid) {
        var draft = new Draft(session, zxid);
        Answer answer = draft.create(request.path(), request.data(), request.mode());
        return new Decision(answer, draft.edits);
    }

    Decision multi(long session, List<ZkOp> ops, long zxid) {
        var draft = new Draft(session, zxid);
        for (int i = 0; i < ops.size(); i++) {
            Answer part = draft.part(ops.get(i));
            if (part.code() != Code.OK) {
                draft.undo.forEach(Runnable::run);
                return new Decision(Answer.failed(part.code(), i), List.of());
            }
        }
        return new Decision(Answer.ok(null), draft.edits);
    }

    Decision removeAll(List<String> paths, long zxid) {
        var draft = new Draft(0, zxid);
        paths.forEach(path -> draft.add(new Edit.Remove(path)));
        return new Decision(Answer.ok(null), draft.edits);
    }

    /** As {@code %010d} writes it; each entry of a line is numbered. */
    static String padded(int number) {
        String digits = Long.toString(Math.abs((long) number));
        String sign = number < 0 ? "-" : "";
        return sign + "0".repeat(Math.max(0, 10 - sign.length() - digits.length())) + digits;
    }

    private final class Draft {
        private final long session;
        private final long zxid;
        private final List<Edit> edits = new ArrayList<>(2);
        private final Deque<Runnable> undo = new ArrayDeque<>(2);

        Draft(long session, long zxid) {
            this.session = session;
            this.zxid = zxid;
        }

        Answer part(ZkOp op) {
            if (op instanceof ZkOp.Create create) {
                return create(create.path(), create.data(), CreateMode.PERSISTENT);
            } else if (op instanceof ZkOp.Check check) {
                Znode node = head.find(check.path());
                return node == null || refusals.mayRead(check.path())
                        ? fits(node, check.version())
                        : Answer.of(Code.NOAUTH);
            } else if (op instanceof ZkOp.Write write) {
                Answer fits = fits(head.find(write.path()), write.version());
                if (fits.code() == Code.OK) {
                    add(new Edit.Write(write.path(), write.data()));
                }
                return fits;
            } else if (op instanceof ZkOp.Delete delete) {
                String parent = SimTree.parentOf(delete.path());
                if (session != 0 && head.find(parent) != null && !refusals.mayDeleteIn(parent)) {
                    return Answer.of(Code.NOAUTH);
                }
                Znode node = head.find(delete.path());
                Answer fits = fits(node, delete.version());
                if (node != null && fits.code() == Code.OK && !node.children().isEmpty()) {
                    return Answer.of(Code.NOTEMPTY);
                }
                if (fits.code() == Code.OK) {
                    add(new Edit.Remove(delete.path()));
                }
                return fits;
            }
            throw new AssertionError(op);
        }

        Answer create(String asked, byte[] data, CreateMode mode) {
            Znode parent = head.find(SimTree.parentOf(asked));
            if (parent == null) {
                return Answer.of(Code.NONODE);
            }
            if (session != 0 && !refusals.mayCreateIn(SimTree.parentOf(asked))) {
                return Answer.of(Code.NOAUTH);
            }
            String path = mode.isSequential() ? asked + number(parent) : asked;
            if (head.find(path) != null) {
                return Answer.of(Code.NODEEXISTS);
            }
            if (parent.owner() != 0) {
                return Answer.of(Code.NOCHILDRENFOREPHEMERALS);
            }
            if (session != 0 && refusals.exhausted()) {
                return Answer.of(Code.QUOTAEXCEEDED);
            }
            add(new Edit.Make(
                    path,
                    data,
                    mode.isEphemeral() ? session : 0,
                    mode.isContainer(),
                    mode.isContainer() ? firstNumber : 0));
            return Answer.ok(head.find(path).asNode());
        }

        private Answer fits(@Nullable Znode node, int version) {
            if (node == null) {
                return Answer.of(Code.NONODE);
            }
            return version == -1 || version == node.version() ? Answer.ok(null) : Answer.of(Code.BADVERSION);
        }

        /**
         * The real server counts in 32 bits. Past the end a request prepared behind another one that is still under way
         * gets a negative number, any other the last one again.
         */
        private String number(Znode parent) {
            boolean behindAnother = parent.made() == Integer.MAX_VALUE && (zxid - 1) % 3 == 0;
            int number = behindAnother ? Integer.MIN_VALUE + (int) ((zxid - 1) % 5) : parent.made();
            return padded(number);
        }

        private void add(Edit edit) {
            undo.push(head.apply(edit, zxid));
            edits.add(edit);
        }
    }
}
