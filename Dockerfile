# The server and its page, on Debian 12. Build: docker build -t statetape .
# Run: docker run -p 8080:8080 -v statetape:/data statetape
# The page's URL, with its token, is the first line of the container's output at its first start.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libcurl4-openssl-dev libpcre2-dev libpq-dev libqrencode-dev libsqlite3-dev libssl-dev libwebsockets-dev libxml2-dev libzstd-dev \
        pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Package.swift ./
COPY Sources ./Sources
# Built into the executable.
COPY web ./web
# SwiftPM reads the whole manifest, test targets with it.
COPY Tests ./Tests
RUN swift build -c release --static-swift-stdlib --product statetape \
    && install -D .build/release/statetape /out/bin/statetape

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates curl libpcre2-8-0 libpq5 libqrencode4 libsqlite3-0 libssl3 libwebsockets17 \
        libwebsockets-evlib-uv libzstd1 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home --home-dir /data statetape
COPY --from=build /out/bin/statetape /usr/local/bin/statetape
USER statetape
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s CMD ["curl", "-fsS", "-o", "/dev/null", "http://127.0.0.1:8080/healthz"]
ENTRYPOINT ["statetape"]
CMD ["serve", "--listen", "0.0.0.0:8080", "--data", "/data"]
