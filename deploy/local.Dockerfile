# The gateway of one developer, as the npm package has it: docs/package.md. It listens on loopback only, so it needs the network of the host:
#   docker build -f deploy/local.Dockerfile -t glasshouse-local . && docker run --network host -v glasshouse:/data glasshouse-local
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build:package

FROM node:24-bookworm-slim
RUN useradd --system --uid 10001 --home-dir /data glasshouse && install -d -o glasshouse -m 0700 /data
WORKDIR /app
COPY --from=build /app/out/package ./
# glibc keeps what is freed for itself: docs/adr/022.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=4194304 MALLOC_TRIM_THRESHOLD_=8388608
USER glasshouse
VOLUME /data
HEALTHCHECK --interval=15s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:9418/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "glasshouse.cjs", "start", "--data", "/data"]
