package io.sluice.admin.account;

import io.sluice.admin.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.stereotype.Component;

/**
 * Lets users log in with an identity provider, if one is configured. The provider is contacted at the first login, so that this
 * server starts without it. A user who has logged in there becomes a user here, with the current role.
 */
@Component
public class OidcConfiguration {
    /** Where a login begins. */
    static final String START = "/oidc/start/provider";

    private static final Logger LOG = LoggerFactory.getLogger(OidcConfiguration.class);
    private static final String REGISTRATION = "provider";
    private static final String CALLBACK = "/oidc/callback";
    /** Names are a part of paths of the API. */
    private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}/\\\\;%]{1,255}");

    private final OidcProperties properties;
    private final Users users;
    private final Logins logins;
    private final Sessions sessions;
    private final Clock clock;

    OidcConfiguration(OidcProperties properties, Users users, Logins logins, Sessions sessions, Clock clock) {
        this.properties = properties;
        this.users = users;
        this.logins = logins;
        this.sessions = sessions;
        this.clock = clock;
    }

    /** Adds the login to a filter chain. */
    public void addTo(HttpSecurity http) throws Exception {
        if (!properties.isOn()) {
            return;
        }
        Registrations registrations = new Registrations(properties);
        OidcLimit limit = new OidcLimit(() -> registrations.findByRegistrationId(REGISTRATION));
        http.addFilterBefore(limit, OAuth2AuthorizationRequestRedirectFilter.class);
        http.oauth2Login(login -> login.loginPage("/login")
                .clientRegistrationRepository(registrations)
                .authorizedClientRepository(new NoClients())
                .authorizationEndpoint(endpoint ->
                        endpoint.baseUri("/oidc/start").authorizationRequestRepository(new OidcRequests(clock)))
                .loginProcessingUrl(CALLBACK)
                .redirectionEndpoint(endpoint -> endpoint.baseUri(CALLBACK))
                .successHandler(this::succeeded)
                .failureHandler(this::failed));
    }

    private void succeeded(HttpServletRequest request, HttpServletResponse response, Authentication authentication)
            throws IOException {
        if (!(authentication.getPrincipal() instanceof OidcUser known)) {
            throw new IllegalStateException("the identity provider has sent no ID token");
        }
        Map<String, Object> claims = known.getClaims();
        String name = known.getClaimAsString(properties.userClaim());
        if (name == null || !NAME.matcher(name).matches()) {
            LOG.warn(
                    "a login failed, the claim with the user name is missing or has other characters than it may: claim={}",
                    properties.userClaim());
            response.sendRedirect("/login?error=name");
            return;
        }
        Optional<Role> role = properties.roleOf(OidcClaims.values(claims, properties.roleClaim()));
        if (role.isEmpty()) {
            LOG.warn(
                    "a login failed, no value of the claim is mapped to a role: user={} claim={}",
                    name,
                    properties.roleClaim());
            users.endSessionsWithoutRole(name);
            response.sendRedirect("/login?error=role");
            return;
        }
        try {
            String displayName = known.getFullName();
            User user = users.fromProvider(name, displayName == null ? name : displayName, role.get());
            if (user.disabled()) {
                LOG.warn("a login failed, the user is disabled here: user={}", name);
                response.sendRedirect("/login?error=disabled");
                return;
            }
            logins.loggedIn(user, "by the identity provider", null);
            HttpSession session = sessions.open(request, response, user.name());
            LateLogins.check(request, session.getId(), user, null);
            response.sendRedirect("/");
        } catch (ProblemException e) {
            LOG.warn("a login failed: user={} cause={}", name, e.getMessage());
            response.sendRedirect("/login?error=taken");
        }
    }

    private void failed(HttpServletRequest request, HttpServletResponse response, AuthenticationException e)
            throws IOException {
        LOG.warn(
                "a login with the identity provider failed: address={} cause={}",
                request.getRemoteAddr(),
                e.toString());
        response.sendRedirect("/login?error=oidc");
    }

    /** Asks the provider for its description, until it has answered once. */
    private static final class Registrations implements ClientRegistrationRepository {
        private final OidcProperties properties;
        private volatile @Nullable ClientRegistration known;

        Registrations(OidcProperties properties) {
            this.properties = properties;
        }

        @Override
        public @Nullable ClientRegistration findByRegistrationId(String id) {
            if (!id.equals(REGISTRATION)) {
                return null;
            }
            ClientRegistration registration = known;
            if (registration == null) {
                registration = ask();
                known = registration;
            }
            return registration;
        }

        private ClientRegistration ask() {
            String secret = properties.clientSecret();
            String redirect = properties.redirectUri();
            ClientRegistration.Builder builder = ClientRegistrations.fromIssuerLocation(
                            String.valueOf(properties.issuer()))
                    .registrationId(REGISTRATION)
                    .clientId(properties.clientId())
                    .scope(properties.scopes())
                    .userNameAttributeName("sub")
                    .redirectUri(redirect == null || redirect.isBlank() ? "{baseUrl}" + CALLBACK : redirect);
            return secret == null || secret.isBlank()
                    ? builder.clientAuthenticationMethod(ClientAuthenticationMethod.NONE)
                            .build()
                    : builder.clientSecret(secret).build();
        }
    }

    /** Keeps no tokens: nothing is asked of the provider after the login. */
    private static final class NoClients implements OAuth2AuthorizedClientRepository {
        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // the interface asks for it
        public <T extends OAuth2AuthorizedClient> @Nullable T loadAuthorizedClient(
                String registration, Authentication user, HttpServletRequest request) {
            return null;
        }

        @Override
        public void saveAuthorizedClient(
                OAuth2AuthorizedClient client,
                Authentication user,
                HttpServletRequest request,
                HttpServletResponse response) {}

        @Override
        public void removeAuthorizedClient(
                String registration, Authentication user, HttpServletRequest request, HttpServletResponse response) {}
    }
}
