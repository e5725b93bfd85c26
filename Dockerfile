# The cloud gateway: docs/deploy.md. Two stages, so that the image has neither sources nor build tools.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build:server

FROM node:24-bookworm-slim
RUN useradd --system --uid 10001 --home-dir /data glasshouse && install -d -o glasshouse -m 0700 /data /backups
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/out/server ./out/server
COPY --from=build /app/out/renderer ./out/renderer
# glibc keeps what is freed for itself: docs/adr/022.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=4194304 MALLOC_TRIM_THRESHOLD_=8388608
USER glasshouse
VOLUME /data
EXPOSE 9419
HEALTHCHECK --interval=15s --timeout=3s CMD ["node", "-e", "fetch('http://localhost:9419/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--min-semi-space-size=4", "--max-semi-space-size=8", "--no-parallel-scavenge"]
CMD ["out/server/cloud-gateway.js", "--port", "9419", "--data", "/data"]
