package io.sluice.admin.account;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An identity provider that users may log in with, by OpenID Connect.
 *
 * @param issuer its URL, below which {@code .well-known/openid-configuration} is; blank: there is none
 * @param clientId what it knows this server by
 * @param clientSecret what this server logs in there with; blank for a public client
 * @param name what the login page calls it
 * @param scopes what is asked for
 * @param redirectUri of this server as the provider knows it, ending in {@code /oidc/callback}; blank: from the request
 * @param userClaim the claim with the login name, which users must not be able to choose there
 * @param roleClaim the claim with the names of groups or roles; a path with dots leads into objects
 * @param roles the values of that claim that make a viewer, an operator and an administrator
 */
@ConfigurationProperties("sluice.oidc")
public record OidcProperties(
        @Nullable String issuer,
        @DefaultValue("sluice-admin") String clientId,
        @Nullable String clientSecret,
        @DefaultValue("Single sign-on") String name,
        @DefaultValue({"openid", "profile"}) List<String> scopes,
        @Nullable String redirectUri,
        @DefaultValue("preferred_username") String userClaim,
        @DefaultValue("roles") String roleClaim,
        @DefaultValue Map<Role, List<String>> roles) {

    /** Whether there is one. */
    public boolean isOn() {
        return issuer != null && !issuer.isBlank();
    }

    /** Returns the greatest role that any of the values of the claim maps to; empty if none does. */
    Optional<Role> roleOf(List<String> values) {
        Role greatest = null;
        for (Role role : Role.values()) {
            if (roles.getOrDefault(role, List.of()).stream().anyMatch(values::contains)) {
                greatest = role;
            }
        }
        return Optional.ofNullable(greatest);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "OidcProperties[issuer=" + issuer + ", clientId=" + clientId + "]";
    }
}
