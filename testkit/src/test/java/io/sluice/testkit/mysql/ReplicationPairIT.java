package io.sluice.testkit.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class ReplicationPairIT {
    @Test
    void theReplicaContinuesAfterItsSourceWasKilled() {
        try (ReplicationPair pair = ReplicationPair.start()) {
            pair.source().execute("create database shop", "create table shop.orders (id int primary key)");
            pair.source().execute("insert into shop.orders values (1)");
            pair.awaitReplica();
            String committed = pair.source().binlogEnd().gtidSet();
            assertThat(pair.replica().binlogEnd().gtidSet()).isEqualTo(committed);

            pair.source().kill();
            pair.promote();
            pair.replica().execute("insert into shop.orders values (2)");

            assertThat(pair.replica().query("select count(*) from shop.orders")).isEqualTo("2");
            assertThat(pair.replica().binlogEnd().gtidSet())
                    .contains(committed)
                    .contains(pair.replica().query("select @@server_uuid") + ":1");
        }
    }

    @Test
    void theReplicaFollowsASourceThatIsRestarted() {
        try (ReplicationPair pair = ReplicationPair.start()) {
            pair.source().execute("create database shop", "create table shop.orders (id int primary key)");
            pair.source().kill();
            pair.source().restart();
            pair.source().execute("insert into shop.orders values (1)");

            pair.awaitReplica();

            assertThat(pair.replica().query("select count(*) from shop.orders")).isEqualTo("1");
        }
    }
}
