package io.sluice.admin.fleet.live;

import io.sluice.admin.config.InstanceRow;
import io.sluice.admin.fleet.server.ServerRow;
import java.util.List;
import java.util.Map;

/**
 * What is configured here, as it was read last.
 *
 * @param clusters names by id
 */
record Configured(List<ServerRow> servers, List<InstanceRow> instances, Map<Long, String> clusters) {
    static final Configured NOTHING = new Configured(List.of(), List.of(), Map.of());
}
