package io.baton.examples.ledger;

import io.baton.testkit.server.Freezer;

/** What befalls the active process. */
enum Fault {
    KILLED {
        @Override
        void strike(Nodes nodes, String id, Turnover turnover) throws Exception {
            nodes.get(id).kill();
            turnover.await();
            nodes.restart(id);
        }
    },
    /** Beyond its deadline; on waking it writes without a look at it, and that must be refused. */
    FROZEN {
        @Override
        void strike(Nodes nodes, String id, Turnover turnover) throws Exception {
            Freezer freezer = nodes.get(id).freeze();
            try {
                turnover.await();
            } finally {
                freezer.thaw();
            }
            nodes.get(id).await(RecklessNode.REFUSED);
        }
    },
    /** Told to end, as at a deployment. */
    TERMINATED {
        @Override
        void strike(Nodes nodes, String id, Turnover turnover) throws Exception {
            nodes.get(id).terminate();
            turnover.await();
            nodes.restart(id);
        }
    };

    /** Waits until a client has been acknowledged by another active one. */
    interface Turnover {
        void await() throws InterruptedException;
    }

    /** Does it, and puts things right again. */
    abstract void strike(Nodes nodes, String id, Turnover turnover) throws Exception;
}
