package io.sluice.admin.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the audit log. */
@RestController
class AuditController {
    private final JdbcClient database;

    AuditController(JdbcClient database) {
        this.database = database;
    }

    /** Some entries, and where the next ones begin. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record AuditPage(List<AuditEntry> items, @Nullable Long next) {}

    @GetMapping("/api/v2/audit")
    AuditPage audit(
            @RequestParam(required = false) @Nullable String user,
            @RequestParam(required = false) @Nullable String action,
            @RequestParam(required = false) @Nullable String target,
            @RequestParam(required = false) @Nullable Long before,
            @RequestParam(defaultValue = "50") @Min(1) @Max(200) int size) {
        StringBuilder sql = new StringBuilder(
                "SELECT id, at, user_name, address, action, target, before_text, after_text, outcome, detail FROM sluice_audit WHERE 1 = 1");
        List<Object> values = new ArrayList<>();
        if (user != null) {
            sql.append(" AND user_name = ?");
            values.add(user);
        }
        if (action != null) {
            sql.append(" AND action LIKE ? ESCAPE '!'");
            values.add(literal(action) + "%");
        }
        if (target != null) {
            sql.append(" AND target LIKE ? ESCAPE '!'");
            values.add("%" + literal(target) + "%");
        }
        if (before != null) {
            sql.append(" AND id < ?");
            values.add(before);
        }
        sql.append(" ORDER BY id DESC LIMIT ?");
        values.add(size + 1);
        List<AuditEntry> found = database.sql(sql.toString())
                .params(values)
                .query((row, number) -> new AuditEntry(
                        row.getLong(1),
                        Instant.ofEpochMilli(row.getLong(2)),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6),
                        row.getString(7),
                        row.getString(8),
                        row.getString(9),
                        row.getString(10)))
                .list();
        boolean hasMore = found.size() > size;
        List<AuditEntry> items = hasMore ? found.subList(0, size) : found;
        return new AuditPage(items, hasMore ? items.get(size - 1).id() : null);
    }

    private static String literal(String text) {
        return text.replace("!", "!!").replace("%", "!%").replace("_", "!_");
    }
}
