package io.sluice.server.config;

/**
 * Everything that is set for one instance.
 *
 * @param destination its name
 * @param source the server it reads
 * @param resetToNewest whether a purged binlog makes it jump to the newest position, which loses changes
 * @param filter what it leaves out
 * @param parser how it reads
 * @param schema how it knows table schemas
 * @param store what it holds
 * @param cursor where it remembers
 * @param routing where its rows go
 * @param failure what happens to rows that do not reach the queue
 * @param lazy whether it waits for its first client
 * @param probe how the source is asked whether it is alive
 */
public record InstanceConfig(
        String destination,
        SourceConfig source,
        boolean resetToNewest,
        FilterConfig filter,
        ParserConfig parser,
        SchemaConfig schema,
        StoreConfig store,
        CursorConfig cursor,
        RoutingConfig routing,
        FailureConfig failure,
        boolean lazy,
        ProbeConfig probe) {
    /** Where it begins at the preferred server without a cursor. */
    public StartPosition start() {
        return source.hosts().get(0).start();
    }
}
