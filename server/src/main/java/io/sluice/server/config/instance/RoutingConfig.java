package io.sluice.server.config.instance;

import io.sluice.connector.api.convert.ChangeHeaders;
import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.route.RoutingRules;

/**
 * Which topics and partitions an instance's entries go to, and details of their messages there.
 *
 * @param rules which topic, which partition, and which key a message has
 * @param keyChange what becomes of an update that changes the columns which choose the partition
 * @param ddlPartition where DDL goes in a topic whose rows are spread over partitions
 * @param headers what messages state of their changes beside their values
 */
public record RoutingConfig(RoutingRules rules, KeyChange keyChange, DdlPartition ddlPartition, ChangeHeaders headers) {
    /** The topic of what no rule is for. */
    public String topic() {
        return rules.texts().topic();
    }

    /** The partition of everything, if there are no rules for partitions. */
    public int partition() {
        return rules.texts().partition();
    }
}
