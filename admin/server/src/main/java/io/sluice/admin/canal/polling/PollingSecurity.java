package io.sluice.admin.canal.polling;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

/** Lets the calls of servers pass without a session: they bring their user and password, which {@link PollingGuard} checks. */
@Configuration(proxyBeanMethods = false)
class PollingSecurity {
    private static final int BEFORE_THE_PAGES = 50;

    @Bean
    @Order(BEFORE_THE_PAGES)
    SecurityFilterChain polling(HttpSecurity http) throws Exception {
        http.securityMatcher(
                        "/api/*/config/server_polling",
                        "/api/*/config/instances_polling",
                        "/api/*/config/instance_polling/*")
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(csrf -> csrf.disable())
                .requestCache(cache -> cache.disable())
                .formLogin(form -> form.disable())
                .httpBasic(basic -> basic.disable())
                .logout(logout -> logout.disable())
                .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET, "/**")
                        .permitAll()
                        .anyRequest()
                        .denyAll());
        return http.build();
    }
}
