# docker build --tag tain:local .
# BASE is any image with Node 24.15 or newer, npm and a POSIX shell.
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
# For networks with a certificate authority of their own; passed with --build-arg.
ARG NODE_EXTRA_CA_CERTS
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY packages/app/package.json packages/app/
COPY packages/contract/package.json packages/contract/
COPY packages/graphiql/package.json packages/graphiql/
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
COPY test/package.json test/
RUN npm ci --no-audit --no-fund
COPY tsconfig.base.json LICENSE NOTICE ./
COPY packages packages
COPY scripts/package scripts/package
RUN node scripts/package/pack.ts /tarballs && mkdir /data

# The dependencies of the server alone, in the versions of the lock file; then the packages themselves from their tarballs.
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/app/package.json packages/app/
COPY packages/contract/package.json packages/contract/
COPY packages/graphiql/package.json packages/graphiql/
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
COPY test/package.json test/
# Optional dependencies too: the decoders of pictures for this system are among them.
RUN npm ci --omit=dev --workspace packages/server --no-audit --no-fund \
  && rm -rf node_modules/tain node_modules/@tain packages test package.json package-lock.json .npmrc \
  && mkdir -p node_modules/tain node_modules/@tain/graphiql \
  && tar -xzf /tarballs/tain-graphiql-*.tgz -C node_modules/@tain/graphiql --strip-components=1 \
  && tar -xzf /tarballs/tain-[0-9]*.tgz -C node_modules/tain --strip-components=1 \
  # The binary for this system is enough: neither the others nor the C sources are used.
  && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
  && find node_modules/better-sqlite3/prebuilds -type f \
    ! -name "$(node -p 'process.platform')*-$(node -p 'process.arch').node" -delete

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8055 STORAGE_LOCAL_ROOT=/data/uploads
COPY --from=build /app /app
# For a volume with files; a new one gets this owner. No VOLUME: an orchestrator would make one that ends with its container.
COPY --from=build --chown=1000:1000 /data /data
WORKDIR /app
# A number, so that orchestrators can see that it is not root. Besides /data and /tmp, nothing has to be writable.
USER 1000:1000
EXPOSE 8055
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "-e", \
  "fetch('http://127.0.0.1:' + process.env.PORT + '/server/ping').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/tain/bin/tain.js"]
CMD ["start"]
