package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A simulated or a real etcd, one wire to it, and what its operator can do and see. */
interface AgreementRig extends AutoCloseable {

    /** Opens the wire; called once. */
    void open(EtcdWire.Events events);

    /** Does something with the wire, on its loop. */
    void on(Consumer<EtcdWire> act);

    /** Lets time pass until this is so; false if it does not come to be. */
    boolean until(BooleanSupplier condition);

    /** Forgets all that was before this revision, for good when this returns. */
    void compact(long revision);

    /** How many watches the server keeps. */
    long watches();

    @Override
    void close();
}
