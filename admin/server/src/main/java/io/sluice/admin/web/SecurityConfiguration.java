package io.sluice.admin.web;

import io.sluice.admin.account.Caller;
import io.sluice.admin.account.OidcConfiguration;
import io.sluice.admin.account.SessionContexts;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.csrf.CsrfFilter;

/**
 * Authorization. Every operation of {@code /api/v2} requires what {@code openapi.json} states; what is not in there is rejected, and so
 * is all else but reading the pages. A chain of another path, with an {@code Order} below 100, comes before this one.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {
    private static final String CONTENT_SECURITY_POLICY =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
                    + "object-src 'none'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'";

    private final Routes routes;
    private final ProblemWriter problems;

    SecurityConfiguration(Routes routes, ProblemWriter problems) {
        this.routes = routes;
        this.problems = problems;
    }

    /** The token is in a cookie that scripts of the pages can read, and comes back in a header. */
    @Bean
    static CookieCsrfTokenRepository csrfTokens() {
        CookieCsrfTokenRepository tokens = CookieCsrfTokenRepository.withHttpOnlyFalse();
        tokens.setCookieCustomizer(cookie -> cookie.sameSite("Strict").path("/"));
        return tokens;
    }

    @Bean
    @Order(100)
    SecurityFilterChain chain(
            HttpSecurity http, SessionContexts contexts, CookieCsrfTokenRepository csrfTokens, OidcConfiguration oidc)
            throws Exception {
        http.securityContext(context -> context.securityContextRepository(contexts))
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.NEVER)
                        .sessionFixation(fixation -> fixation.none())) // a login makes a new session itself
                .csrf(csrf -> csrf.csrfTokenRepository(csrfTokens).csrfTokenRequestHandler(new HeaderCsrfTokens()))
                .addFilterBefore(new SameOriginFilter(problems), CsrfFilter.class)
                .requestCache(cache -> cache.disable())
                .formLogin(form -> form.disable())
                .httpBasic(basic -> basic.disable())
                .logout(logout -> logout.disable())
                .headers(headers -> headers.contentSecurityPolicy(
                                policy -> policy.policyDirectives(CONTENT_SECURITY_POLICY))
                        .frameOptions(frame -> frame.deny())
                        .referrerPolicy(referrer -> referrer.policy(
                                org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter
                                        .ReferrerPolicy.SAME_ORIGIN)))
                .authorizeHttpRequests(
                        requests -> requests.dispatcherTypeMatchers(DispatcherType.ASYNC, DispatcherType.ERROR)
                                .permitAll()
                                .requestMatchers("/api/**", "/api")
                                .access(this::decide)
                                .requestMatchers(HttpMethod.GET, "/**")
                                .permitAll()
                                .requestMatchers(HttpMethod.HEAD, "/**")
                                .permitAll()
                                .anyRequest()
                                .denyAll())
                .exceptionHandling(handling ->
                        handling.authenticationEntryPoint(this::reject).accessDeniedHandler(this::reject));
        oidc.addTo(http);
        return http.build();
    }

    private AuthorizationDecision decide(
            Supplier<? extends @Nullable Authentication> authentication, RequestAuthorizationContext context) {
        Optional<Routes.Route> route = routes.find(context.getRequest());
        return new AuthorizationDecision(
                route.isPresent() && route.get().access().allows(Caller.current()));
    }

    private void reject(HttpServletRequest request, HttpServletResponse response, AuthenticationException e)
            throws IOException {
        problems.write(response, HttpStatus.UNAUTHORIZED, "There is no session, or it has ended. Log in.");
    }

    private void reject(HttpServletRequest request, HttpServletResponse response, AccessDeniedException e)
            throws IOException {
        Caller caller = Caller.current();
        if (e instanceof CsrfException) {
            problems.write(
                    response,
                    HttpStatus.FORBIDDEN,
                    "The header X-XSRF-TOKEN is missing, or is not the value of the cookie XSRF-TOKEN. Load the page again.");
        } else if (routes.find(request).isEmpty()) {
            boolean other = routes.hasPath(request);
            problems.write(
                    response,
                    other ? HttpStatus.METHOD_NOT_ALLOWED : HttpStatus.NOT_FOUND,
                    other ? "This path has no such method." : "There is no such path.");
        } else if (caller != null && caller.mustChangePassword()) {
            problems.write(
                    response, HttpStatus.FORBIDDEN, "The password is an initial one. Change it before anything else.");
        } else {
            problems.write(response, HttpStatus.FORBIDDEN, "Your role does not allow that. Ask an administrator.");
        }
    }
}
