package io.baton.tck;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Passes the enclosing contract, and so its store, to a chapter. */
final class ContractStore implements BeforeEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        var instances = context.getRequiredTestInstances();
        Contract contract = instances
                .findInstance(Contract.class)
                .orElseThrow(() -> new IllegalStateException("a chapter stands in a contract"));
        instances.findInstance(Chapter.class).orElseThrow().begin(contract);
    }
}
