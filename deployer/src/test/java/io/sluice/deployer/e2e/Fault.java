package io.sluice.deployer.e2e;

import io.sluice.testkit.zookeeper.ZooKeeperNode;

/** A way in which the owner of an instance is lost. */
enum Fault {
    KILLED {
        @Override
        void strike(PackagedServer owner, ZooKeeperNode zooKeeper, String running) {
            owner.kill();
        }

        @Override
        void heal(PackagedServer struck) {
            struck.start();
        }
    },
    /** It is stopped, and wakes up when another has taken over. */
    PAUSED {
        @Override
        void strike(PackagedServer owner, ZooKeeperNode zooKeeper, String running) {
            owner.pause();
        }

        @Override
        void heal(PackagedServer struck) {
            struck.resume();
        }
    },
    /** ZooKeeper ends its session. */
    CUT_OFF {
        @Override
        void strike(PackagedServer owner, ZooKeeperNode zooKeeper, String running) {
            if (!zooKeeper.expireOwnerOf(running)) {
                throw new IllegalStateException("nobody owns " + running);
            }
        }

        @Override
        void heal(PackagedServer struck) {}
    };

    abstract void strike(PackagedServer owner, ZooKeeperNode zooKeeper, String running);

    abstract void heal(PackagedServer struck);
}
