/**
 * The dashboard and the alerts of the package: whether they are in order, and speak of metrics that there are.
 *
 * <p>Does not know Grafana: how the dashboard looks is for people to see.
 */
@NullMarked
package io.sluice.deployer.monitoring;

import org.jspecify.annotations.NullMarked;
