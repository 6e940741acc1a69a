FROM node:24-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS build
RUN npm ci
COPY tsconfig.json tsconfig.build.json tsconfig.types.json vite.config.ts ./
COPY src ./src
# The page offers the example session.
COPY examples ./examples
# The command line is no part of the image, and neither are types.
RUN npm run build && rm -r dist/.tsbuildinfo dist/cli dist/mcp && find dist -name '*.d.ts' -delete

# No package that runs here has an install script, and none that comes may bring one unseen.
FROM base AS dependencies
RUN npm ci --omit=dev --ignore-scripts
# Types, maps and sources are for who writes code: half of what is installed. Other packages are used by the command line only.
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
    && rm -r node_modules/openai/src \
    && rm -r node_modules/@modelcontextprotocol node_modules/zod node_modules/diff node_modules/jsonc-parser node_modules/smol-toml

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="precis" \
      org.opencontainers.image.description="Remote compaction for coding agents" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
# Everything belongs to root: the service writes no file, and cannot change its own code.
COPY --from=dependencies /app/node_modules ./node_modules
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
