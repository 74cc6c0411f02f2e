/** Clusters: servers that share ZooKeeper and a configuration. */
@NullMarked
package io.sluice.admin.cluster;

import org.jspecify.annotations.NullMarked;
