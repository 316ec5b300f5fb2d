# Assay in one image: `server`, `worker`, and every other command of `assay`.
#
#   docker build -t assay:1.0.0-rc.1 .
#
# Behind a mirror or a proxy with a certificate of its own:
#   docker build --secret id=maven-settings,src=$HOME/.m2/settings.xml --secret id=ca-certificates,src=ca.pem -t assay:1.0.0-rc.1 .

# A release passes both with the digests that it found.
ARG BUILD_IMAGE=eclipse-temurin:25-jdk
ARG RUN_IMAGE=eclipse-temurin:25-jre

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.m2 \
    --mount=type=secret,id=maven-settings \
    --mount=type=secret,id=ca-certificates,target=/etc/ssl/certs/ca-certificates.crt \
    if [ -f /run/secrets/maven-settings ]; then export MAVEN_ARGS="--settings /run/secrets/maven-settings"; fi; \
    ./mvnw -B -ntp -pl cli -am -Dlauncher.directory=/opt/assay -DskipTests -Dformat.skip=true \
        -Dspotless.check.skip=true -Dmdep.analyze.skip=true -Denforcer.skip=true package

FROM ${RUN_IMAGE}
RUN groupadd --gid 10001 assay \
    && useradd --uid 10001 --gid assay --no-create-home --home-dir /var/lib/assay --shell /usr/sbin/nologin assay \
    && install -d -o assay -g assay -m 700 /var/lib/assay
COPY --from=build /opt/assay /opt/assay
COPY --chmod=755 docker/health /usr/local/bin/health
# Only the speed of compute processes depends on it. The JVM that made a cache is the one that can read it.
RUN java --enable-native-access=ALL-UNNAMED -cp "/opt/assay/*" dev.assay.work.compute.pool.ComputeTraining \
        /opt/assay/compute.aot || rm -f /opt/assay/compute.aot
USER assay
WORKDIR /var/lib/assay
ENV ASSAY_DATA=/var/lib/assay ASSAY_LOG=stderr
EXPOSE 8080
# java is process 1: SIGTERM reaches it. JDK_JAVA_OPTIONS adds options. Compute processes take a quarter of the memory at most.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=45", "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED", \
    "--sun-misc-unsafe-memory-access=allow", "-cp", "/opt/assay/*", "dev.assay.cli.Assay"]
CMD ["--help"]
