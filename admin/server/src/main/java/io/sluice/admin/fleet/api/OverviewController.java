package io.sluice.admin.fleet.api;

import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.live.History;
import io.sluice.admin.fleet.live.Overview;
import io.sluice.admin.problem.ProblemException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The calls about everything together. */
@RestController
class OverviewController {
    private final FleetWatch fleet;

    OverviewController(FleetWatch fleet) {
        this.fleet = fleet;
    }

    @GetMapping("/api/v2/overview")
    Overview overview() {
        return fleet.now().overview();
    }

    @GetMapping("/api/v2/history")
    History history(
            @RequestParam(required = false) @Nullable String instance,
            @RequestParam(required = false) @Nullable Long server) {
        if (instance != null && server != null) {
            throw ProblemException.badRequest("Give either instance or server.");
        }
        if (instance != null) {
            return fleet.historyOfInstance(instance);
        }
        return server == null ? fleet.history() : fleet.historyOfServer(server);
    }
}
