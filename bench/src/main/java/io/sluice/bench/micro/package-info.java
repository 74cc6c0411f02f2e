/**
 * JMH benches of single steps, without a network and without other processes: they show whether a change of the hot path helps.
 *
 * <p>Must not depend on servers, except the MySQL that records a workload.
 */
@NullMarked
package io.sluice.bench.micro;

import org.jspecify.annotations.NullMarked;
