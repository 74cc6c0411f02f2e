package io.sluice.server.instance;

import io.sluice.protocol.time.Time;
import io.sluice.server.pace.Pace;
import io.sluice.server.pull.BatchNumbers;
import io.sluice.server.tables.TableTally;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What belongs to a destination, and stays when one of its instances ends and another one follows. Thread-safe.
 *
 * @param pace how fast it is delivered
 * @param errors its newest errors
 * @param tap shows what is delivered
 * @param tables counts what is delivered of each table
 * @param cursors opens its cursors
 * @param deployment the id of the deployment that runs it
 * @param batchNumbers those of the batches that its clients pull
 */
public record DestinationState(
        Pace pace,
        ErrorLog errors,
        DeliveryTap tap,
        TableTally tables,
        CursorHome cursors,
        DeploymentFile deployment,
        BatchNumbers batchNumbers) {
    /**
     * The state of a destination that is delivered at full speed, and has had no error.
     *
     * @param countedTables how many tables are counted one by one; 0: none are
     */
    public static DestinationState of(
            String destination, int countedTables, ScheduledExecutorService timer, Time time) {
        DeliveryTap tap = new DeliveryTap();
        TableTally tables = new TableTally(countedTables, time);
        Pace pace = new Pace(destination, timer, time, entries -> {
            tables.delivered(entries);
            tap.delivered(entries);
        });
        DeploymentFile deployment = new DeploymentFile(destination);
        return new DestinationState(
                pace,
                new ErrorLog(time),
                tap,
                tables,
                new CursorHome(destination, deployment, timer),
                deployment,
                new BatchNumbers());
    }
}
