package io.sluice.admin.web;

import io.sluice.admin.problem.ProblemException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.PathResourceResolver;

/**
 * Serves the pages, which are in a jar of their own. The names of {@code assets/} change with their content, so browsers keep these; a
 * path that is no file is one of a page, and gets {@code index.html}.
 */
@Configuration(proxyBeanMethods = false)
class Pages implements WebMvcConfigurer {
    private static final String LOCATION = "classpath:/META-INF/resources/";
    private static final String INDEX = "META-INF/resources/index.html";
    private static final long DAYS = 365;

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/assets/**")
                .addResourceLocations(LOCATION + "assets/")
                .setCacheControl(
                        CacheControl.maxAge(DAYS, TimeUnit.DAYS).cachePublic().immutable());
        registry.addResourceHandler("/**")
                .addResourceLocations(LOCATION)
                .setCacheControl(CacheControl.noCache())
                .resourceChain(false)
                .addResolver(new FileOrIndex());
    }

    /** The empty path is none of a file. */
    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addViewController("/").setViewName("forward:/index.html");
    }

    private static final class FileOrIndex extends PathResourceResolver {
        @Override
        protected @Nullable Resource getResource(String path, Resource location) throws IOException {
            Resource file = super.getResource(path, location);
            if (file != null) {
                return file;
            }
            if (path.equals("api") || path.startsWith("api/")) {
                return null;
            }
            Resource index = new ClassPathResource(INDEX);
            if (!index.exists()) {
                throw ProblemException.notFound(
                        "The pages are not a part of this installation: lib/ has no sluice-admin-web. The API is at /api/v2.");
            }
            return index;
        }
    }
}
