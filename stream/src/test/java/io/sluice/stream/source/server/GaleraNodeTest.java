package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GaleraNodeTest {
    private static final String ONE = GaleraNode.identity("server 1 at db:3306", "n1", true);
    private static final String OTHER = GaleraNode.identity("server 1 at db:3306", "n2", true);
    private static final String SHARED = GaleraNode.identity("server 1 at db:3306", "n1", false);
    private static final String NO_NODE = "server 1 at db:3306";

    @Test
    void nodesWithOneServerIdAndAddressAreSeveralServers() {
        assertThat(ONE)
                .isEqualTo("server 1 at db:3306, node n1, with GTIDs of its own")
                .isNotEqualTo(OTHER);
        assertThat(SHARED).isEqualTo("server 1 at db:3306, node n1");
    }

    /** Servers that are built with Galera have the variables outside of clusters, too; others have none of them. */
    @Test
    void onlyNodesOfAClusterHaveANodeInTheirIdentity() throws IOException {
        Map<String, String> node = Map.of(
                "wsrep_on", "1",
                "wsrep_provider", "/usr/lib/galera/libgalera_smm.so",
                "wsrep_node_name", "n1",
                "wsrep_gtid_mode", "0");

        assertThat(identity(node)).isEqualTo(ONE);
        assertThat(identity(with(node, "wsrep_gtid_mode", "1"))).isEqualTo(SHARED);
        assertThat(identity(with(with(node, "wsrep_node_name", ""), "hostname", "n2")))
                .isEqualTo(OTHER);
        assertThat(identity(with(node, "wsrep_on", "0"))).isEqualTo(NO_NODE);
        assertThat(identity(with(node, "wsrep_provider", "none"))).isEqualTo(NO_NODE);
        assertThat(identity(Map.of())).isEqualTo(NO_NODE);
    }

    private static String identity(Map<String, String> variables) throws IOException {
        return GaleraNode.identity(NO_NODE, variables::get);
    }

    private static Map<String, String> with(Map<String, String> variables, String name, String value) {
        Map<String, String> changed = new HashMap<>(variables);
        changed.put(name, value);
        return changed;
    }

    /** The mode can be set while the node is read. */
    @Test
    void aNodeIsTheSameServerInBothModes() {
        assertThat(GaleraNode.isSameServer(ONE, SHARED)).isTrue();
        assertThat(GaleraNode.isSameServer(SHARED, ONE)).isTrue();
        assertThat(GaleraNode.isSameServer(ONE, OTHER)).isFalse();
        assertThat(GaleraNode.isSameServer(SHARED, NO_NODE)).isFalse();
    }

    @Test
    void gtidsOfANodeThatNumbersByItselfMeanSomethingThereOnly() {
        assertThat(GaleraNode.areGtidsShared(ONE, ONE)).isTrue();
        assertThat(GaleraNode.areGtidsShared(ONE, OTHER)).isFalse();
        assertThat(GaleraNode.areGtidsShared(ONE, NO_NODE)).isFalse();
        assertThat(GaleraNode.areGtidsShared("", ONE)).isFalse();
        assertThat(GaleraNode.areGtidsShared(SHARED, NO_NODE)).isTrue();
        assertThat(GaleraNode.areGtidsShared("", SHARED)).isTrue();
    }
}
