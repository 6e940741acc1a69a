FROM node:24-bookworm-slim AS build
# The SBOM of the image names what is installed in this stage too: the packages that are in the bundle.
ARG BUILDKIT_SBOM_SCAN_STAGE=true
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package has an install script that is needed here, and none that comes may bring one unseen.
RUN npm ci --ignore-scripts
COPY tsconfig.json vite.config.ts ./
COPY scripts/bundle.ts scripts/bundle-options.ts ./scripts/
COPY src ./src
# The page offers the example session.
COPY examples ./examples
# The command line is no part of the image, and neither are the maps of the sources.
RUN npm run bundle -- server worker hook-process && npm run build:page && find dist -name '*.map' -delete \
    && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="precis" \
      org.opencontainers.image.description="Remote compaction for coding agents" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
# Everything belongs to root: the service writes no file, and cannot change its own code.
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY prompts ./prompts
# For GET /openapi.json.
COPY examples/api ./examples/api
# The image's user `node`, by number: Kubernetes' runAsNonRoot cannot judge a name.
USER 1000:1000
EXPOSE 8080
# The base image has no curl.
HEALTHCHECK --interval=30s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The service handles its signals and waits for the worker processes that it starts, so it needs no init as process 1. It
# drains on this signal.
STOPSIGNAL SIGTERM
CMD ["node", "dist/server.js"]
