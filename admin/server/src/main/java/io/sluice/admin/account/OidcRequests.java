package io.sluice.admin.account;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.admin.address.ClientNetwork;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.security.oauth2.client.web.AuthorizationRequestRepository;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;

/**
 * Remembers logins at the identity provider that have begun. They are not in the session, whose cookie browsers do not send when the
 * provider leads back here; a cookie of their own ties them to the browser. Bounded, also for each network: the oldest are forgotten. Thread-safe.
 */
final class OidcRequests implements AuthorizationRequestRepository<OAuth2AuthorizationRequest> {
    static final String COOKIE = "SLUICE_OIDC";

    private static final int MAX_REQUESTS = 4000;
    /** One network cannot displace the logins of all others. */
    static final int MAX_OF_NETWORK = 100;

    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final int KEY_BYTES = 16;

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    @GuardedBy("this") private final Map<String, Begun> byState = new LinkedHashMap<>();

    private record Begun(OAuth2AuthorizationRequest request, String browser, String network, long sinceMillis) {}

    OidcRequests(Clock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized @Nullable OAuth2AuthorizationRequest loadAuthorizationRequest(HttpServletRequest request) {
        String state = request.getParameter("state");
        Begun begun = state == null ? null : byState.get(state);
        if (begun == null || !begun.browser.equals(browser(request))) {
            return null;
        }
        return clock.millis() - begun.sinceMillis < LIFETIME.toMillis() ? begun.request : null;
    }

    @Override
    public void saveAuthorizationRequest(
            @Nullable OAuth2AuthorizationRequest begun, HttpServletRequest request, HttpServletResponse response) {
        if (begun == null || begun.getState() == null) {
            return;
        }
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        String browser = HexFormat.of().formatHex(bytes);
        String network = ClientNetwork.of(request.getRemoteAddr());
        synchronized (this) {
            List<String> same = byState.entrySet().stream()
                    .filter(entry -> entry.getValue().network.equals(network))
                    .map(Map.Entry::getKey)
                    .toList();
            if (same.size() >= MAX_OF_NETWORK) {
                byState.remove(same.get(0));
            }
            byState.put(begun.getState(), new Begun(begun, browser, network, clock.millis()));
            if (byState.size() > MAX_REQUESTS) {
                byState.remove(byState.keySet().iterator().next());
            }
        }
        response.addHeader(HttpHeaders.SET_COOKIE, cookie(request, browser, LIFETIME));
    }

    @Override
    public @Nullable OAuth2AuthorizationRequest removeAuthorizationRequest(
            HttpServletRequest request, HttpServletResponse response) {
        OAuth2AuthorizationRequest begun = loadAuthorizationRequest(request);
        if (begun != null) {
            synchronized (this) {
                byState.remove(begun.getState());
            }
            response.addHeader(HttpHeaders.SET_COOKIE, cookie(request, "", Duration.ZERO));
        }
        return begun;
    }

    private static String cookie(HttpServletRequest request, String value, Duration age) {
        return ResponseCookie.from(COOKIE, value)
                .httpOnly(true)
                .secure(request.isSecure())
                .sameSite("Lax")
                .path("/oidc/")
                .maxAge(age)
                .build()
                .toString();
    }

    private static String browser(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (cookie.getName().equals(COOKIE)) {
                    return cookie.getValue();
                }
            }
        }
        return "";
    }
}
