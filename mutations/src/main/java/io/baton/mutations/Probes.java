package io.baton.mutations;

import java.util.BitSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Tells which lines of a source were run. */
public final class Probes {

    private static final BitSet LINES = new BitSet();

    private Probes() {}

    /** Called by classes that were given probes: this line is about to run. Any thread. */
    public static void run(int line) {
        synchronized (LINES) {
            LINES.set(line);
        }
    }

    /** The lines since the last call. */
    static BitSet taken() {
        synchronized (LINES) {
            BitSet lines = (BitSet) LINES.clone();
            LINES.clear();
            return lines;
        }
    }

    /** The same class, which tells of its lines: each as its number and this much more. */
    static byte[] in(byte[] original, int offset) {
        var type = new ClassNode();
        new ClassReader(original).accept(type, 0);
        type.methods.forEach(method -> probe(method, offset));
        var writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        type.accept(writer);
        return writer.toByteArray();
    }

    private static void probe(MethodNode method, int offset) {
        for (AbstractInsnNode each : method.instructions.toArray()) {
            if (each instanceof LineNumberNode line) {
                // Not before a frame, which has to stand where a jump ends.
                AbstractInsnNode next = line;
                while (next != null && next.getOpcode() < 0) {
                    next = next.getNext();
                }
                if (next != null) {
                    // Frames name an object that is being made by where its NEW stands.
                    boolean made = next.getOpcode() == Opcodes.NEW;
                    var call = new InsnList();
                    call.add(new LdcInsnNode(line.line + offset));
                    call.add(new MethodInsnNode(
                            Opcodes.INVOKESTATIC, Probes.class.getName().replace('.', '/'), "run", "(I)V"));
                    if (made) {
                        method.instructions.insert(next, call);
                    } else {
                        method.instructions.insertBefore(next, call);
                    }
                }
            }
        }
    }
}
