package io.sluice.deployer.e2e;

import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.util.List;

/** A way in which the owner of an instance is lost, to the others or to its client. */
enum Fault {
    KILLED {
        @Override
        void strike(Member owner, ZooKeeperNode zooKeeper, String running) {
            owner.server().kill();
        }

        @Override
        void heal(Member struck) {
            struck.server().start();
        }
    },
    /** Its line to ZooKeeper is cut until another has taken over; its clients still reach it. */
    ISOLATED {
        @Override
        void strike(Member owner, ZooKeeperNode zooKeeper, String running) {
            owner.toZooKeeper().freeze();
        }

        @Override
        void heal(Member struck) {
            struck.toZooKeeper().thaw();
        }
    },
    /** It is stopped, and wakes up when another has taken over. */
    PAUSED {
        @Override
        void strike(Member owner, ZooKeeperNode zooKeeper, String running) {
            owner.server().pause();
        }

        @Override
        void heal(Member struck) {
            struck.server().resume();
        }
    },
    /** ZooKeeper ends its session. */
    EXPIRED {
        @Override
        void strike(Member owner, ZooKeeperNode zooKeeper, String running) {
            if (!zooKeeper.expireOwnerOf(running)) {
                throw new IllegalStateException("nobody owns " + running);
            }
        }

        @Override
        void heal(Member struck) {}
    },
    /** The line to its client is cut for a while, and what was open is reset after that. It stays the owner. */
    UNREACHABLE {
        @Override
        void strike(Member owner, ZooKeeperNode zooKeeper, String running) {
            owner.toClients().freeze();
        }

        @Override
        void heal(Member struck) {
            struck.toClients().cut();
            struck.toClients().thaw();
        }
    };

    static final List<Fault> ALL = List.of(values());

    /** Those after which another server takes over. */
    static final List<Fault> OF_OWNERS = List.of(KILLED, ISOLATED, PAUSED, EXPIRED);

    abstract void strike(Member owner, ZooKeeperNode zooKeeper, String running);

    abstract void heal(Member struck);
}
