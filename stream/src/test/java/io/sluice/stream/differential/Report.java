package io.sluice.stream.differential;

import java.util.List;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param script the steps with the statements that the server accepted
 * @param rows how many delivered rows were compared
 * @param warnings how often a schema did not follow from DDL alone
 * @param findings the first differences of each mode; none if it found none
 */
record Report(List<Step> script, int rows, int warnings, Map<ReadingMode, List<Finding>> findings) {
    boolean isClean() {
        return findings.isEmpty();
    }
}
