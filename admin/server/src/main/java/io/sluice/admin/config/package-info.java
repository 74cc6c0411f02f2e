/** Configurations of clusters, servers and instances, with their versions, and what checks them. */
@NullMarked
package io.sluice.admin.config;

import org.jspecify.annotations.NullMarked;
