package io.sluice.admin.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admin.RunningAdmin;
import io.sluice.admin.config.BasedOn;
import io.sluice.admin.config.Config;
import io.sluice.admin.config.ConfigStore;
import io.sluice.admin.config.ConfigVersion;
import io.sluice.admin.config.InstanceRow;
import io.sluice.admin.config.InstanceStore;
import io.sluice.admin.config.Owner;
import io.sluice.admin.problem.StartProblem;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

class RetentionTest {
    private static final int OLD = 120;

    @TempDir
    static Path data;

    private static RunningAdmin admin;
    private static ConfigStore store;
    private static JdbcClient database;

    @BeforeAll
    static void start() {
        admin = RunningAdmin.start(
                data,
                "sluice.retention.versions=3",
                "sluice.retention.version-days=30",
                "sluice.retention.audit-entries=5",
                "sluice.retention.audit-days=30");
        store = admin.bean(ConfigStore.class);
        database = admin.bean(JdbcClient.class);
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    private static Owner instance(String name, int versions) {
        InstanceRow row = admin.bean(InstanceStore.class).create(name, Owner.cluster(77), "# 1\n", true, null);
        Owner owner = Owner.instance(row.id());
        for (int version = 2; version <= versions; version++) {
            store.save(owner, "# " + version + "\n", new BasedOn(version - 1, null), null);
        }
        return owner;
    }

    private static void age(Owner owner, long newest, int days) {
        database.sql("UPDATE sluice_config_version SET saved_at = ? WHERE owner_id = ? AND version <= ?")
                .params(Instant.now().minus(Duration.ofDays(days)).toEpochMilli(), owner.id(), newest)
                .update();
    }

    private static long[] versions(Owner owner) {
        return store.history(owner).stream().mapToLong(ConfigVersion::version).toArray();
    }

    @Test
    void versionsThatAreOldAndBeyondTheNumberAreDeleted() {
        Owner old = instance("old", OLD + 2);
        age(old, OLD + 2, 31);
        Owner partly = instance("partly", 10);
        age(partly, 4, 31);
        Owner young = instance("young", 10);
        age(young, 10, 29);
        Owner few = instance("few", 3);
        age(few, 3, 400);

        Retention.Deleted deleted = admin.bean(Retention.class).deleteOld();

        assertThat(deleted.versions()).isEqualTo(OLD - 1 + 4);
        assertThat(versions(old)).containsExactly(OLD + 2, OLD + 1, OLD);
        assertThat(versions(partly)).containsExactly(10, 9, 8, 7, 6, 5);
        assertThat(versions(young)).hasSize(10);
        assertThat(versions(few)).containsExactly(3, 2, 1);
        assertThat(store.text(old).orElseThrow().content()).isEqualTo("# " + (OLD + 2) + "\n");
        assertThat(store.version(old, 1)).isEmpty();
        // What is saved next continues the numbers.
        Config next = store.save(old, "# next\n", new BasedOn(OLD + 2, null), null);
        assertThat(next.version()).isEqualTo(OLD + 3);
        assertThat(database.sql(
                                "SELECT before_text FROM sluice_audit WHERE action = 'config.forget-versions' AND target = ?")
                        .param("instance " + partly.id())
                        .query(String.class)
                        .list())
                .singleElement()
                .satisfies(text -> assertThat(text).startsWith("4 versions"));
        assertThat(admin.bean(Retention.class).deleteOld().versions()).isEqualTo(1);
        assertThat(versions(old)).containsExactly(OLD + 3, OLD + 2, OLD + 1);
        assertThat(admin.bean(Retention.class).deleteOld().versions()).isZero();
    }

    /** A clock that is set far ahead makes everything old; some of it stays nevertheless. */
    @Test
    void theAuditLogIsCutAndNeverEmptied() {
        IntStream.range(0, 2500).forEach(i -> database.sql("""
                                INSERT INTO sluice_audit (at, user_name, address, action, target, outcome)
                                VALUES (?, 'x', '-', 'test', 'test', 'done')""").param(i).update());
        long before = count("SELECT count(*) FROM sluice_audit");
        assertThat(before).isGreaterThan(2500);

        assertThat(admin.bean(Retention.class).deleteOld().auditEntries()).isBetween(2495L, 2500L);

        assertThat(count("SELECT count(*) FROM sluice_audit WHERE action = 'audit.forget'"))
                .isEqualTo(1);
        database.sql("UPDATE sluice_audit SET at = 1").update();
        admin.bean(Retention.class).deleteOld();
        assertThat(count("SELECT count(*) FROM sluice_audit")).isEqualTo(6); // and that some were deleted
    }

    private static long count(String sql) {
        return database.sql(sql).query(Long.class).single();
    }

    @Test
    void zeroIsForEverAndTheNewestVersionIsAlwaysKept() {
        assertThat(new RetentionProperties(1, 0, 0, 0).versionDays()).isZero();
        assertThatThrownBy(() -> new RetentionProperties(0, 1, 1, 1))
                .isInstanceOf(StartProblem.class)
                .hasMessageContaining("sluice.retention.versions");
        assertThatThrownBy(() -> new RetentionProperties(1, 1, 1, -1))
                .isInstanceOf(StartProblem.class)
                .hasMessageContaining("sluice.retention.audit-days");
    }
}
