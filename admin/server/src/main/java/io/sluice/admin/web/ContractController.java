package io.sluice.admin.web;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The description of this API, for programs that call it. */
@RestController
class ContractController {
    @GetMapping(path = "/api/v2/openapi.json", produces = MediaType.APPLICATION_JSON_VALUE)
    Resource contract() {
        return new ClassPathResource(Routes.FILE);
    }
}
