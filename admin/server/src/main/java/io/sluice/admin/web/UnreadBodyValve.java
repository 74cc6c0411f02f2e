package io.sluice.admin.web;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.springframework.http.HttpStatus;

/**
 * Closes the connection of a refused request whose body was not read. Otherwise Tomcat waits for the rest of the body, on a thread, before
 * it serves the next request of the connection.
 */
final class UnreadBodyValve extends ValveBase {
    UnreadBodyValve() {
        super(true); // streams of events are asynchronous
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        getNext().invoke(request, response);
        if (response.getStatus() < HttpStatus.BAD_REQUEST.value() || request.isAsync()) {
            return;
        }
        AtomicBoolean isRead = new AtomicBoolean();
        request.getCoyoteRequest().action(ActionCode.REQUEST_BODY_FULLY_READ, isRead);
        if (!isRead.get()) {
            request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }
}
