package io.sluice.admin.notice;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Publishes what was changed, as Spring events, when the current transaction is committed; at once without one. Thread-safe. */
@Component
public class ChangeNotices {
    private final ApplicationEventPublisher publisher;

    ChangeNotices(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    /**
     * Publishes a notice.
     *
     * @param id an id, or a name for instances and users; null: several
     */
    public void changed(ChangeNotice.What what, @Nullable String id) {
        afterCommit(new ChangeNotice(what, id, null));
    }

    /**
     * Publishes that a configuration was changed.
     *
     * @param of what the configuration is of: {@code instance}, {@code server} or {@code cluster}
     * @param id the name of the instance, or the id
     */
    public void configurationChanged(String of, String id) {
        afterCommit(new ChangeNotice(ChangeNotice.What.CONFIG, id, of));
    }

    /** Publishes any event in the same way. */
    public void afterCommit(Object event) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            publisher.publishEvent(event);
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                publisher.publishEvent(event);
            }
        });
    }
}
