package io.sluice.admin.retention;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.time.RepeatedWork;
import jakarta.annotation.PreDestroy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Deletes old versions of configurations and old entries of the audit log, a few at a time, so that other writers do not wait. The newest version
 * of a configuration is never deleted. What was deleted is in the audit log. Thread-safe.
 */
@Component
public class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final Duration FIRST = Duration.ofMinutes(10);
    private static final Duration INTERVAL = Duration.ofHours(6);
    /** A version may have a megabyte. */
    private static final int VERSIONS_AT_ONCE = 50;

    private static final int ENTRIES_AT_ONCE = 1000;

    private final RetentionProperties properties;
    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final AuditLog audit;
    private final Clock clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread created = new Thread(work, "retention");
        created.setDaemon(true);
        return created;
    });

    Retention(
            RetentionProperties properties,
            JdbcClient database,
            TransactionTemplate transaction,
            AuditLog audit,
            Clock clock) {
        this.properties = properties;
        this.database = database;
        this.transaction = transaction;
        this.audit = audit;
        this.clock = clock;
    }

    /** What has more versions than are kept in any case. */
    private record Owner(String kind, long id) {}

    /**
     * What was deleted.
     *
     * @param versions of configurations
     * @param auditEntries of the audit log
     */
    public record Deleted(long versions, long auditEntries) {}

    @EventListener(ApplicationReadyEvent.class)
    @SuppressWarnings("FutureReturnValueIgnored") // what fails is logged
    void start() {
        thread.scheduleWithFixedDelay(
                new RepeatedWork(
                        this::deleteOld,
                        failure -> LOG.warn(
                                "old versions and audit entries cannot be deleted, it is tried again", failure)),
                FIRST.toSeconds(),
                INTERVAL.toSeconds(),
                TimeUnit.SECONDS);
    }

    /** Deletes what is too old now. After a failure, what was deleted before it stays deleted. */
    public synchronized Deleted deleteOld() {
        Instant now = Instant.ofEpochMilli(clock.millis());
        long versions = properties.versionDays() == 0 ? 0 : deleteVersions(daysBefore(now, properties.versionDays()));
        long entries = properties.auditDays() == 0 ? 0 : deleteEntries(daysBefore(now, properties.auditDays()));
        if (versions + entries > 0) {
            LOG.info("old versions and audit entries were deleted: versions={} auditEntries={}", versions, entries);
        }
        return new Deleted(versions, entries);
    }

    private static Instant daysBefore(Instant now, int days) {
        return now.minus(days, ChronoUnit.DAYS);
    }

    private long deleteVersions(Instant before) {
        List<Owner> owners = database.sql("""
                        SELECT owner_kind, owner_id FROM sluice_config_version
                        GROUP BY owner_kind, owner_id HAVING count(*) > ? AND min(saved_at) < ?""")
                .params(properties.versions(), before.toEpochMilli())
                .query((row, number) -> new Owner(row.getString(1), row.getLong(2)))
                .list();
        long all = 0;
        for (Owner owner : owners) {
            long deleted;
            do {
                Integer some = transaction.execute(status -> deleteSome(owner, before));
                deleted = some == null ? 0 : some;
                all += deleted;
            } while (deleted == VERSIONS_AT_ONCE);
        }
        return all;
    }

    private int deleteSome(Owner owner, Instant before) {
        Optional<Long> oldestKept = database.sql("""
                        SELECT version FROM sluice_config_version WHERE owner_kind = ? AND owner_id = ?
                        ORDER BY version DESC LIMIT 1 OFFSET ?""")
                .params(owner.kind(), owner.id(), properties.versions() - 1)
                .query(Long.class)
                .optional();
        if (oldestKept.isEmpty()) {
            return 0;
        }
        List<Long> some = database.sql("""
                        SELECT id FROM sluice_config_version
                        WHERE owner_kind = ? AND owner_id = ? AND version < ? AND saved_at < ?
                        ORDER BY version LIMIT ?""")
                .params(owner.kind(), owner.id(), oldestKept.get(), before.toEpochMilli(), VERSIONS_AT_ONCE)
                .query(Long.class)
                .list();
        if (some.isEmpty()) {
            return 0;
        }
        int deleted = database.sql("DELETE FROM sluice_config_version WHERE id IN (:ids)")
                .param("ids", some)
                .update();
        audit.done(
                "config.forget-versions",
                owner.kind() + " " + owner.id(),
                "%d versions that were saved before %s".formatted(deleted, before.truncatedTo(ChronoUnit.DAYS)),
                null);
        return deleted;
    }

    private long deleteEntries(Instant before) {
        Optional<Long> newestDeleted = database.sql("SELECT id FROM sluice_audit ORDER BY id DESC LIMIT 1 OFFSET ?")
                .param(properties.auditEntries())
                .query(Long.class)
                .optional();
        if (newestDeleted.isEmpty()) {
            return 0;
        }
        long all = 0;
        int deleted;
        do {
            Integer some = transaction.execute(status -> deleteSome(newestDeleted.get(), before));
            deleted = some == null ? 0 : some;
            all += deleted;
        } while (deleted == ENTRIES_AT_ONCE);
        if (all > 0) {
            audit.done(
                    "audit.forget",
                    "audit log",
                    "%d entries from before %s".formatted(all, before.truncatedTo(ChronoUnit.DAYS)),
                    null);
        }
        return all;
    }

    private int deleteSome(long newestDeleted, Instant before) {
        List<Long> some = database.sql("SELECT id FROM sluice_audit WHERE at < ? AND id <= ? ORDER BY at LIMIT ?")
                .params(before.toEpochMilli(), newestDeleted, ENTRIES_AT_ONCE)
                .query(Long.class)
                .list();
        return some.isEmpty()
                ? 0
                : database.sql("DELETE FROM sluice_audit WHERE id IN (:ids)")
                        .param("ids", some)
                        .update();
    }

    @PreDestroy
    void close() {
        thread.shutdownNow();
    }
}
