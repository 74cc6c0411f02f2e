package io.sluice.deployer.command;

import io.sluice.server.check.InstanceReport;
import java.util.List;
import java.util.Optional;

/**
 * What a check has found out.
 *
 * @param effective the values that count, if they were asked for
 * @param connect the outcome of trying all servers, if that was asked for
 * @param tables the tables and columns of each instance, if they were asked for; else empty
 */
record CheckResult(Optional<EffectiveOutput> effective, Optional<ConnectOutput> connect, List<InstanceReport> tables) {
    CheckResult {
        tables = List.copyOf(tables);
    }

    /** Whether nothing has failed. */
    boolean isGood() {
        return tables.stream().allMatch(InstanceReport::isGood)
                && connect.stream().allMatch(ConnectOutput::isGood);
    }
}
