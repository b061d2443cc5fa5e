# The service as one executable on a base with nothing but the C library: no shell, no package manager, no Node.js.
#
#   docker build --tag commonplace:0.1.0 .
#   docker run --name commonplace --publish 127.0.0.1:8443:8443 --volume commonplace:/data commonplace:0.1.0
#
# The digests pin the base images, because publishers move tags. docs/operate/containers.md says how to check and renew them:
#   docker buildx imagetools inspect node:22.23.3-bookworm-slim

FROM node:22.23.3-bookworm-slim@sha256:c3de60bf2f9dd0ac6370e6117950ff62d6e339527e7472301c9c78a017978392 AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY tsconfig.json THIRD-PARTY.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md SECURITY.md ./
COPY docs docs
COPY mcp mcp
COPY scripts scripts
COPY sdk sdk
COPY site site
COPY src src
COPY web web
# A directory that is copied itself loses its mode; one in it does not.
RUN npm run build && mkdir /build/volume && mkdir --mode=700 /build/volume/data

# The executable needs glibc and nothing else: TLS, SQLite, the PostgreSQL client and the certificates of public authorities are inside.
# An image with musl, such as Alpine, has no glibc, and debian-slim adds a shell and 75 MB that the service does not need.
FROM gcr.io/distroless/base-nossl-debian12:nonroot@sha256:be40c00dfabd86576d92666e87e406714d5618342de1a0c213ad232de255172e
COPY --from=build /build/dist/commonplace /build/dist/THIRD-PARTY.md /
COPY --from=build --chown=65532:65532 /build/volume /
# By number: Kubernetes cannot tell whether a name is root.
USER 65532:65532
WORKDIR /
# The first start creates no API key: the image has no shell to read the file with.
ENV COMMONPLACE_DATA_DIRECTORY=/data \
    COMMONPLACE_FIRST_KEY=off \
    COMMONPLACE_HOST=0.0.0.0
# All writes go here, so that the rest can be read-only.
VOLUME /data
EXPOSE 8443 8080
HEALTHCHECK --interval=10s --timeout=6s --start-period=20s --retries=3 CMD ["/commonplace", "health"]
ENTRYPOINT ["/commonplace"]
CMD ["serve"]
