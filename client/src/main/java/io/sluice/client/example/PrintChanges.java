package io.sluice.client.example;

import io.sluice.client.ChangeBatch;
import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.client.TableChange;
import io.sluice.client.TableChange.ChangedRow;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Prints every change of a destination: {@code PrintChanges HOST PORT DESTINATION [FILTER]}. */
public final class PrintChanges {
    private PrintChanges() {}

    public static void main(String[] args) throws IOException {
        ClientOptions options = ClientOptions.of(args[0], Integer.parseInt(args[1]), args[2]);
        try (PullClient client = PullClient.connect(options)) {
            print(client, args.length > 3 ? args[3] : "", System.out, () -> false);
        }
    }

    /** Prints until it has printed enough. */
    public static void print(PullClient client, String filter, PrintStream out, BooleanSupplier isEnough)
            throws IOException {
        client.subscribe(filter);
        while (!isEnough.getAsBoolean()) {
            ChangeBatch batch = client.getWithoutAck(100, Duration.ofMillis(200));
            for (TableChange change : batch.changes()) {
                print(change, out);
            }
            // Only now: what is not acked comes again after a crash.
            client.ack(batch);
        }
    }

    /** Prints one change: a line per row, or the statement, be it DDL or one that the source logged as text. */
    public static void print(TableChange change, PrintStream out) {
        if (change.rows().isEmpty() && !change.sql().isEmpty()) {
            out.println(change.sql());
            return;
        }
        for (ChangedRow row : change.rows()) {
            out.printf("%s %s.%s", change.type(), change.schema(), change.table());
            for (String column : row.newest().names()) {
                out.printf(" %s=%s", column, row.newest().text(column));
            }
            out.println();
        }
    }
}
