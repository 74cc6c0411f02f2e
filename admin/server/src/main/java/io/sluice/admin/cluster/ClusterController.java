package io.sluice.admin.cluster;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Clusters. */
@RestController
@RequestMapping("/api/v2/clusters")
class ClusterController {
    private static final String NOT_BLANK = "(?s).*\\S.*";

    private final Clusters clusters;

    ClusterController(Clusters clusters) {
        this.clusters = clusters;
    }

    /** What can be set of a cluster. */
    record ClusterInput(
            @NotBlank @Size(max = 255) String name,
            @NotBlank @Size(max = 255) String zkHosts) {}

    /** What is changed of a cluster; null: it stays as it is. */
    record ClusterChange(
            @Nullable @Pattern(regexp = NOT_BLANK) @Size(max = 255) String name,

            @Nullable @Pattern(regexp = NOT_BLANK) @Size(max = 255) String zkHosts) {}

    @GetMapping
    List<Cluster> clusters() {
        return clusters.all();
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Cluster createCluster(@Valid @RequestBody ClusterInput input) {
        return clusters.create(input.name().strip(), input.zkHosts().strip());
    }

    @GetMapping("/{id}")
    Cluster cluster(@PathVariable long id) {
        return clusters.get(id);
    }

    @PutMapping("/{id}")
    Cluster updateCluster(@PathVariable long id, @Valid @RequestBody ClusterInput input) {
        return clusters.change(id, input.name().strip(), input.zkHosts().strip());
    }

    @PatchMapping("/{id}")
    Cluster changeCluster(@PathVariable long id, @Valid @RequestBody ClusterChange input) {
        return clusters.change(id, stripped(input.name()), stripped(input.zkHosts()));
    }

    private static @Nullable String stripped(@Nullable String text) {
        return text == null ? null : text.strip();
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteCluster(@PathVariable long id) {
        clusters.delete(id);
    }
}
