package io.sluice.server.config.instance;

import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.format.value.ValueOptions;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.schema.filter.FilterRules;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.source.SourceOptions;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import java.nio.file.Path;

/**
 * Everything that is set for one instance: the options of the modules that it is wired of.
 *
 * <p>What depends on the heap, on other instances or on the broker is not in them; the wiring of an instance adds it.
 *
 * @param destination its name
 * @param source the servers it reads, and where it begins
 * @param filter the tables and columns it reads
 * @param stream how events become entries, and what is left out
 * @param values how column values are written
 * @param schema how it knows the table schemas
 * @param parsesInParallel the value of {@code canal.instance.parser.parallel}, for canal's metrics
 * @param encoderThreads how many workers encode rows ahead of the store
 * @param store what it holds
 * @param cursor where it stores its position
 * @param routing where its rows go
 * @param sender how batches are sent to the queue
 * @param failure what happens to messages that do not reach the queue
 * @param restart what happens when it has failed
 * @param keepsPace whether pauses and limits are kept beside the cursor
 * @param lazy whether it waits for its first client
 */
public record InstanceConfig(
        String destination,
        SourceOptions source,
        FilterRules filter,
        StreamOptions stream,
        ValueOptions values,
        SchemaOptions schema,
        boolean parsesInParallel,
        int encoderThreads,
        StoreConfig store,
        CursorConfig cursor,
        RoutingConfig routing,
        SenderConfig sender,
        FailureConfig failure,
        RestartPolicy restart,
        boolean keepsPace,
        boolean lazy) {

    /** How to connect to the preferred server. */
    public ConnectOptions login() {
        return source.hosts().get(0).login();
    }

    /** How a command connects to the preferred server: with the default timeouts, since a person waits for the answers. */
    public ConnectOptions commandLogin() {
        return login().withDefaultTimeouts();
    }

    /** Where it begins at the preferred server without a cursor. */
    public ConfiguredStart start() {
        return source.hosts().get(0).start();
    }

    /** Takes files with rows of XA transactions that are held back. */
    public Path heldDirectory() {
        return heldDirectory(cursor.directory());
    }

    public static Path heldDirectory(Path directory) {
        return directory.resolve("xa");
    }

    /** Takes files with rows of large transactions that are held until they end. */
    public Path spillDirectory() {
        return spillDirectory(cursor.directory());
    }

    public static Path spillDirectory(Path directory) {
        return directory.resolve("spill");
    }
}
