package io.sluice.server.probe;

import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Verdict;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was found out about everything that some instances need.
 *
 * @param server what all instances need
 * @param instances what each needs, in the order in which they start
 */
public record ConnectReport(List<TargetReport> server, List<Instance> instances) {
    public ConnectReport {
        server = List.copyOf(server);
        instances = List.copyOf(instances);
    }

    /**
     * What one instance needs.
     *
     * @param destination its name
     */
    public record Instance(String destination, List<TargetReport> targets) {
        public Instance {
            targets = List.copyOf(targets);
        }
    }

    /** How many findings have a verdict. */
    public long count(Verdict verdict) {
        return Stream.concat(server.stream(), instances.stream().flatMap(instance -> instance.targets().stream()))
                .flatMap(target -> target.findings().stream())
                .map(Finding::verdict)
                .filter(verdict::equals)
                .count();
    }
}
