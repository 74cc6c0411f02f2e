package io.sluice.server.config;

import io.sluice.schema.history.HistoryLocation;
import java.time.Duration;
import java.util.Optional;

/**
 * How an instance knows table schemas.
 *
 * @param history where they are kept for every position; empty if the source is asked at each start
 * @param username the user of the login there
 * @param password the same user's
 * @param snapshotInterval after how long all table schemas are written again if there was DDL; zero for never
 * @param expire how long the history reaches back
 * @param skipsMismatches whether rows that do not match the schema of their table are left out, instead of stopping
 * @param reload expressions of tables that are read from the source at the start; blank for none
 */
public record SchemaConfig(
        Optional<HistoryLocation> history,
        String username,
        Secret password,
        Duration snapshotInterval,
        Duration expire,
        boolean skipsMismatches,
        String reload) {}
