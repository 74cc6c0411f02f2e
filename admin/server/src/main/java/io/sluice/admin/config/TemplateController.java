package io.sluice.admin.config;

import io.sluice.admin.problem.ProblemException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Templates. */
@RestController
@RequestMapping("/api/v2/templates")
class TemplateController {
    private final Templates templates;

    TemplateController(Templates templates) {
        this.templates = templates;
    }

    /** A template to save. */
    record TemplateInput(
            @NotNull @Pattern(
                    regexp = "^[A-Za-z0-9._ -]{1,100}$",
                    message = "must be 1 to 100 letters, digits, dots, underscores, spaces and hyphens")
            String name,

            @NotNull OwnerKind kind,
            @NotNull @Size(max = ConfigStore.MAX_LENGTH) String content,
            @Nullable Boolean builtIn,
            @Nullable Boolean create,

            @Nullable @Pattern(regexp = "^[0-9a-f]{32}$", message = "must be an MD5 in lower case hex") String basedOnMd5) {
        /** Without the content. */
        @Override
        public String toString() {
            return "TemplateInput[name=" + name + "]";
        }
    }

    @GetMapping
    List<Template> templates() {
        return templates.all();
    }

    @PutMapping("/{template}")
    Template saveTemplate(@PathVariable String template, @Valid @RequestBody TemplateInput input) {
        if (!template.equals(input.name())) {
            throw ProblemException.badRequest("The name in the path is not that in the body.");
        }
        return templates.save(
                template, input.kind(), input.content(), Boolean.TRUE.equals(input.create()), input.basedOnMd5());
    }

    @DeleteMapping("/{template}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteTemplate(@PathVariable String template) {
        templates.delete(template);
    }
}
