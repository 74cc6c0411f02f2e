package io.sluice.admin.account;

import io.sluice.admin.database.DatabaseFaults;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.session.Session;
import org.springframework.session.jdbc.JdbcIndexedSessionRepository;
import org.springframework.stereotype.Component;

/**
 * Lets users see what runs while nothing can be written to the database. With each request the time of it is stored in the session; if
 * that fails because the disk is full or read-only, the request is answered nevertheless, and the session ends as if it had not been made.
 * A session that is not stored yet must be stored, and a change of anything else fails by itself. Thread-safe.
 */
@Component
class StoredSessions implements BeanPostProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(StoredSessions.class);
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final AtomicLong loggedAtNanos = new AtomicLong(System.nanoTime() - 2 * SILENCE.toNanos());

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!(bean instanceof JdbcIndexedSessionRepository repository)) {
            return bean;
        }
        ProxyFactory proxy = new ProxyFactory(repository);
        proxy.setProxyTargetClass(true);
        MethodInterceptor saving =
                call -> call.getMethod().getName().equals("save") && call.getArguments()[0] instanceof Session session
                        ? save(call, session, repository)
                        : call.proceed();
        proxy.addAdvice(saving);
        return proxy.getProxy();
    }

    private @Nullable Object save(MethodInvocation call, Session session, JdbcIndexedSessionRepository repository)
            throws Throwable {
        try {
            return call.proceed();
        } catch (RuntimeException e) {
            if (!DatabaseFaults.isUnavailable(e) || !isStored(session, repository)) {
                throw e;
            }
            long logged = loggedAtNanos.get();
            long now = System.nanoTime();
            if (now - logged > SILENCE.toNanos() && loggedAtNanos.compareAndSet(logged, now)) {
                LOG.warn(
                        "the times of sessions cannot be stored, nothing can be changed now: cause={}",
                        NestedExceptionUtils.getMostSpecificCause(e).toString());
            }
            return null;
        }
    }

    private static boolean isStored(Session session, JdbcIndexedSessionRepository repository) {
        try {
            return repository.findById(session.getId()) != null;
        } catch (RuntimeException e) {
            LOG.debug("the database cannot be read either", e);
            return false;
        }
    }
}
