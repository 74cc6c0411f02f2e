package io.sluice.server.destination;

import io.sluice.server.ha.Obstacle;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.ha.Service;
import io.sluice.server.instance.ErrorLog;
import io.sluice.server.instance.FailureListener;
import java.time.Duration;
import java.util.Optional;

/**
 * What a candidacy runs, with its failures reported.
 *
 * @param onNotMade is told when it cannot start
 * @param errors of the destination
 */
record ReportingService(String destination, Service service, FailureListener onNotMade, ErrorLog errors)
        implements Service {
    @Override
    public void start(OwnershipTerm term) throws Exception {
        try {
            service.start(term);
        } catch (Exception | Error e) {
            onNotMade.failed(destination, e);
            throw e;
        }
    }

    @Override
    public boolean stop(Duration limit) {
        return service.stop(limit);
    }

    @Override
    public boolean abandon() {
        return service.abandon();
    }

    @Override
    public boolean hasFailed() {
        return service.hasFailed();
    }

    @Override
    public Optional<Boolean> stopIfFailed() {
        return service.stopIfFailed();
    }

    @Override
    public boolean isBalanced() {
        return service.isBalanced();
    }

    @Override
    public void isUncoordinated(Obstacle obstacle) {
        errors.addOfZooKeeper(obstacle.message(), obstacle.cause(), obstacle.remedy());
    }
}
