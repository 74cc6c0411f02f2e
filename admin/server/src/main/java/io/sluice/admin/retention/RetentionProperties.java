package io.sluice.admin.retention;

import io.sluice.admin.problem.StartProblem;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long old versions and the audit log are kept. What is deleted is both beyond the number and older than the days, so neither a busy
 * week nor a clock that is set wrong removes all of it.
 *
 * @param versions of each configuration that are kept however old they are, the newest one among them
 * @param versionDays for which further versions are kept; 0: for ever
 * @param auditEntries that are kept however old they are
 * @param auditDays for which further entries of the audit log are kept; 0: for ever
 */
@ConfigurationProperties("sluice.retention")
public record RetentionProperties(
        @DefaultValue("100") int versions,
        @DefaultValue("365") int versionDays,
        @DefaultValue("10000") int auditEntries,
        @DefaultValue("730") int auditDays) {
    public RetentionProperties {
        check("versions", versions, 1);
        check("version-days", versionDays, 0);
        check("audit-entries", auditEntries, 0);
        check("audit-days", auditDays, 0);
    }

    private static void check(String name, int value, int least) {
        if (value < least) {
            throw new StartProblem(
                    "sluice.retention.%s is %d.".formatted(name, value),
                    "Set it to %d or more (docs/admin.md, What is kept).".formatted(least));
        }
    }
}
