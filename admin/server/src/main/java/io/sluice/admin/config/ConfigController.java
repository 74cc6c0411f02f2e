package io.sluice.admin.config;

import io.sluice.admin.account.Caller;
import io.sluice.admin.problem.LargeTexts;
import io.sluice.admin.problem.ProblemException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Configurations: reading, saving and checking them. */
@RestController
@RequestMapping("/api/v2")
class ConfigController {
    private static final int MAX_TEXTS = 32;
    private static final int MAX_TABLES = 1000;

    private final ConfigStore store;
    private final ConfigEdits edits;
    private final LargeTexts texts = new LargeTexts(MAX_TEXTS, "Too many long configurations are being read.");
    private final LargeTexts answers = new LargeTexts(MAX_TEXTS, "Too many long results of checks are being read.");
    private final ConfigCheck check;

    ConfigController(ConfigStore store, ConfigEdits edits, ConfigCheck check) {
        this.store = store;
        this.edits = edits;
        this.check = check;
    }

    /** A text to save. */
    record ConfigInput(
            @NotNull @Size(max = ConfigStore.MAX_LENGTH) String content,
            @PositiveOrZero long basedOn,

            @Nullable @Pattern(regexp = "^[0-9a-f]{32}$", message = "must be an MD5 in lower case hex") String basedOnMd5,

            @Nullable @Size(max = 1000) String comment,
            @Nullable Boolean force) {
        /** Without the content. */
        @Override
        public String toString() {
            return "ConfigInput[basedOn=" + basedOn + "]";
        }
    }

    /** A text to check. */
    record CheckInput(
            @NotNull OwnerKind kind,
            @Nullable @Size(max = 100) String name,
            @NotNull @Size(max = ConfigStore.MAX_LENGTH) String content,
            @Nullable Long clusterId,
            @Nullable Long serverId) {
        /** Without the content. */
        @Override
        public String toString() {
            return "CheckInput[kind=" + kind + "]";
        }
    }

    /** Tables whose ways are asked for. */
    record RouteInput(
            @NotNull @Size(max = ConfigStore.MAX_LENGTH) String content,
            @Nullable Long clusterId,
            @Nullable Long serverId,
            @NotNull @Size(max = MAX_TABLES) List<@NotNull @Size(min = 1, max = 200) String> tables) {
        /** Without the content. */
        @Override
        public String toString() {
            return "RouteInput[tables=" + tables + "]";
        }
    }

    @GetMapping("/instances/{name}/config")
    Config instanceConfig(@PathVariable String name) {
        return current(instance(name));
    }

    @PutMapping("/instances/{name}/config")
    Config saveInstanceConfig(
            @AuthenticationPrincipal Caller caller, @PathVariable String name, @Valid @RequestBody ConfigInput input) {
        return save(caller, instance(name), input);
    }

    @GetMapping("/instances/{name}/config/history")
    List<ConfigVersion> instanceConfigHistory(@PathVariable String name) {
        return store.history(instance(name));
    }

    @GetMapping("/instances/{name}/config/history/{version}")
    Config instanceConfigVersion(@PathVariable String name, @PathVariable long version) {
        return version(instance(name), version);
    }

    @GetMapping("/servers/{id}/config")
    Config serverConfig(@PathVariable long id) {
        return current(edits.standaloneServer(id));
    }

    @PutMapping("/servers/{id}/config")
    Config saveServerConfig(
            @AuthenticationPrincipal Caller caller, @PathVariable long id, @Valid @RequestBody ConfigInput input) {
        return save(caller, edits.standaloneServer(id), input);
    }

    @GetMapping("/servers/{id}/config/history")
    List<ConfigVersion> serverConfigHistory(@PathVariable long id) {
        return store.history(edits.standaloneServer(id));
    }

    @GetMapping("/servers/{id}/config/history/{version}")
    Config serverConfigVersion(@PathVariable long id, @PathVariable long version) {
        return version(edits.standaloneServer(id), version);
    }

    @GetMapping("/clusters/{id}/config")
    Config clusterConfig(@PathVariable long id) {
        return current(edits.cluster(id));
    }

    @PutMapping("/clusters/{id}/config")
    Config saveClusterConfig(
            @AuthenticationPrincipal Caller caller, @PathVariable long id, @Valid @RequestBody ConfigInput input) {
        return save(caller, edits.cluster(id), input);
    }

    @GetMapping("/clusters/{id}/config/history")
    List<ConfigVersion> clusterConfigHistory(@PathVariable long id) {
        return store.history(edits.cluster(id));
    }

    @GetMapping("/clusters/{id}/config/history/{version}")
    Config clusterConfigVersion(@PathVariable long id, @PathVariable long version) {
        return version(edits.cluster(id), version);
    }

    @GetMapping("/config/keys")
    List<ConfigKey> configKeys() {
        return ConfigKey.all();
    }

    @PostMapping("/config/check")
    CheckResult checkConfig(@Valid @RequestBody CheckInput input) {
        CheckResult result = input.kind() == OwnerKind.INSTANCE
                ? check.checkInstance(input.name(), input.content(), edits.textOf(input.clusterId(), input.serverId()))
                : check.checkServer(input.content());
        answers.admit(result.characters());
        return result;
    }

    @PostMapping("/config/route")
    List<RouteDecision> route(@Valid @RequestBody RouteInput input) {
        List<RouteDecision> decisions =
                check.route(input.content(), edits.textOf(input.clusterId(), input.serverId()), input.tables());
        answers.admit(decisions.stream().mapToLong(RouteDecision::characters).sum());
        return decisions;
    }

    private Owner instance(String name) {
        return Owner.instance(edits.instance(name).id());
    }

    private Config current(Owner owner) {
        return admitted(store.current(owner)
                .orElseThrow(() ->
                        ProblemException.notFound("There is no configuration yet. Save one: it becomes version 1.")));
    }

    private Config version(Owner owner, long version) {
        return admitted(store.version(owner, version)
                .orElseThrow(() -> ProblemException.notFound("There is no version " + version + ".")));
    }

    private Config admitted(Config config) {
        texts.admit(config.content());
        return config;
    }

    private Config save(Caller caller, Owner owner, ConfigInput input) {
        texts.admit(input.content()); // the answer has it, and cannot be refused once it is saved
        return edits.save(
                caller,
                owner,
                input.content(),
                new BasedOn(input.basedOn(), input.basedOnMd5()),
                input.comment(),
                Boolean.TRUE.equals(input.force()));
    }
}
