package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.SourceHost;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Lists the tables of the first host of a source that answers. For one thread, but for {@link #listing}. */
final class TableLister implements Probe {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final List<SourceHost> hosts;
    private final int limit;
    private volatile SourceListing listing = new SourceListing("", Optional.empty(), List.of(), false);

    /**
     * Makes it.
     *
     * @param hosts at least one
     * @param limit how many tables are listed
     */
    TableLister(List<SourceHost> hosts, int limit) {
        this.hosts = hosts;
        this.limit = limit;
    }

    /** What was found; without tables and without a failure as long as no host has answered. */
    SourceListing listing() {
        return listing;
    }

    @Override
    public void run(Findings findings) {
        for (SourceHost host : hosts) {
            ConnectOptions login =
                    host.login().withTimeouts(TIMEOUT, TIMEOUT).withMaximumPacketBytes(SourceProbe.MAX_RESULT_BYTES);
            String address = login.address().toString();
            try (MySqlConnection connection = MySqlConnection.open(login)) {
                List<TableName> tables = SourceTables.visible(connection, login, limit + 1);
                boolean isComplete = tables.size() <= limit;
                listing = new SourceListing(
                        address, Optional.empty(), isComplete ? tables : tables.subList(0, limit), isComplete);
                return;
            } catch (IOException e) {
                SourceFailure failure = FailureClassifier.of(e);
                findings.failed("source " + address, String.valueOf(e.getMessage()), failure.remedy());
            }
        }
    }
}
