package dev.assay.web.connection;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.http.server.netty.handler.PipeliningServerHandler;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the bounds of connections and requests into the pipeline of each connection, and closes connections past the cap. */
@Singleton
final class ConnectionBounds implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionBounds.class);

    private final ConnectionSettings settings;
    private final NettyHttpServerConfiguration server;
    private final MemoryAccount memory;
    private final OpenRequests requests;
    private final AtomicInteger open = new AtomicInteger();

    ConnectionBounds(
            ConnectionSettings settings,
            NettyHttpServerConfiguration server,
            MemoryAccount memory,
            OpenRequests requests) {
        this.memory = memory;
        this.requests = requests;
        this.settings = settings;
        this.server = server;
    }

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        event.getBean().register(new Customizer(null));
        return event.getBean();
    }

    private final class Customizer implements NettyServerCustomizer {

        private final @Nullable Channel channel;

        Customizer(@Nullable Channel channel) {
            this.channel = channel;
        }

        @Override
        public NettyServerCustomizer specializeForChannel(Channel of, ChannelRole role) {
            if (role == ChannelRole.CONNECTION) {
                count(of);
            }
            return new Customizer(of);
        }

        @Override
        public void onStreamPipelineBuilt() {
            if (channel != null) {
                bound(channel);
            }
        }
    }

    private void count(Channel channel) {
        int connections = open.incrementAndGet();
        channel.closeFuture().addListener(closed -> open.decrementAndGet());
        if (connections > settings.max()) {
            LOG.debug("Connection closed: {} are open, the most that the server takes", settings.max());
            ChannelFuture _ = channel.close();
        }
    }

    private void bound(Channel channel) {
        ChannelHandlerContext routes = channel.pipeline().context(PipeliningServerHandler.class);
        if (routes == null) {
            return;
        }
        SendClock clock = new SendClock(settings.headerTimeout(), settings.bodyWindow());
        channel.pipeline().addFirst(clock.bytes());
        channel.pipeline().addFirst(new WriteClock(settings.bodyWindow()));
        channel.pipeline()
                .addBefore(
                        routes.name(),
                        "assay-request-bounds",
                        new RequestBounds(
                                clock,
                                (PipeliningServerHandler) routes.handler(),
                                memory,
                                requests,
                                server.getMaxRequestSize()));
    }
}
