package io.sluice.server.probe;

import io.sluice.connector.api.probe.Finding;
import java.util.List;

/**
 * What was found out about one server.
 *
 * @param target what it is and where, such as {@code source db1:3306}
 * @param findings in the order in which they were found
 */
public record TargetReport(String target, List<Finding> findings) {
    public TargetReport {
        findings = List.copyOf(findings);
    }
}
